import { Type } from 'typebox'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import { type DecodedObject, TRUNCATED } from '../../../contracts/layouts/DecodedValue.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { toDecodedView } from './DecodedView.ts'
import { BocText } from './scalars.ts'

/** What goes along with a token. */
export const PayloadText = Type.Union([BocText, Type.Null()])

type Payload = { readonly boc: string | null; readonly decoded: DecodedObject | null }

const noPayload: Payload = { boc: null, decoded: null }

/** A payload as it is kept, as a bag of cells and by what it means. */
export const toPayload = (budget: AnswerBudget, packed: Uint8Array | undefined): Payload => {
  if (packed === undefined) return noPayload
  if (!budget.takeBody(packed.length)) return { boc: null, decoded: TRUNCATED }
  const cell = unpackCell(packed)
  return { boc: toBase64(encodeBoc([cell], CHECKED_BOC)), decoded: toDecodedView(budget, cell) }
}
