import { Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { toMessageForm } from '../../../contracts/layouts/createBodyDecoder.ts'
import type { DecodedObject } from '../../../contracts/layouts/DecodedValue.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'

/** What a body means: its constructor and the fields of that. */
export const DecodedView = Type.Unsafe<DecodedObject>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'What it means, where its layout is known. An object of @type truncated stands for what is left out because it is too large.',
    },
  ),
)

export const DecodedOrNull = Type.Union([DecodedView, Type.Null()])

/** As messages and payloads show it; null where nothing known fits. */
export const toDecodedView = (budget: AnswerBudget, body: Cell): DecodedObject | null => {
  const decoded = budget.decode(body)
  return decoded === undefined ? null : toMessageForm(decoded)
}
