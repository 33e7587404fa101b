import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { openRaw } from '../../../codec/cell/CellReader.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { AnswerBudget } from '../stack/AnswerBudget.ts'

/** A cell spelled out: its bits, and the cells it refers to. */
export const CellObjectView = Type.Cyclic(
  {
    CellObject: Type.Object({
      data: Type.Object({
        b64: Type.String({ description: 'The bits in base64, filled up with zeros.' }),
        len: Type.Integer({ description: 'How many bits there are.' }),
      }),
      refs: Type.Array(Type.Ref('CellObject')),
      special: Type.Boolean({ description: 'The cell is an exotic one.' }),
    }),
  },
  'CellObject',
)

export type CellObject = Static<typeof CellObjectView>

/** Spells a cell out, unless that is too much for one answer: then it is refused before the work is done. */
export const toCellObject = (cell: Cell, budget: AnswerBudget): CellObject => {
  budget.takeCell(cell)
  return spell(cell)
}

const spell = (cell: Cell): CellObject => {
  const b64 = toBase64(openRaw(cell).readBits(cell.bits))
  const refs = Array.from({ length: cell.refCount }, (_, at) => spell(cell.ref(at)))
  return { data: { b64, len: cell.bits }, refs, special: cell.isExotic }
}
