import { Cell } from '../../codec/cell/Cell.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'

/** The cell that a configuration begins with. */
export const configRoot = ({ root }: ConfigDict): Cell => {
  if (root instanceof Cell) return root
  throw new TypeError('A proven configuration stands in a cell of its own.')
}
