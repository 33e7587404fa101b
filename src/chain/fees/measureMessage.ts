import { orderCells } from '../../codec/cell/bocOrder.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { StorageUsed } from '../../codec/tlb/StorageUsed.ts'

/** What of a message is paid for by its size: all of its cells, each content once, but the root. */
export const measureMessage = (root: Cell): StorageUsed => {
  const { cells } = orderCells([root])
  const bits = cells.reduce((sum, cell) => sum + cell.bits, 0) - root.bits
  return { cells: BigInt(cells.length - 1), bits: BigInt(bits) }
}
