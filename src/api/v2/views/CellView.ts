import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { BytesView, toMaybeCellBytes, typeName } from './scalars.ts'

export const CellView = Type.Object(
  { '@type': typeName('tvm.cell'), bytes: BytesView },
  { $id: 'Cell', description: 'A cell as a bag of cells; nothing where there is none.' },
)

export const toCellView = (cell: Cell | undefined): Static<typeof CellView> => ({
  '@type': 'tvm.cell',
  bytes: toMaybeCellBytes(cell),
})
