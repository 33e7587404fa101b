import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'

/** Cells in one bag, in their order; none at all are no bytes, for a bag has at least one root. */
export const encodeList = (cells: readonly Cell[]): Uint8Array =>
  cells.length === 0 ? new Uint8Array() : encodeBoc(cells)
