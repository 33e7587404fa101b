import { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { readTransaction, type Transaction } from '../../src/codec/tlb/Transaction.ts'
import { CodedError } from '../../src/primitives/errors.ts'

/** The transactions among the cells of a block, known by their look alone: for tests of what lies inside them. */
export const findTransactions = (block: Cell): Transaction[] => {
  const { arena } = block
  const found: Transaction[] = []
  for (let i = 0; i < arena.count; i++) {
    const cell = new Cell(arena, i)
    if (cell.isExotic || cell.refCount !== 3 || cell.bits < 600 || openCell(cell).peekUint(4) !== 0b0111) continue
    try {
      found.push(readWhole(cell, readTransaction, 'A transaction'))
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    }
  }
  return found
}

/** The messages of a transaction, the one that came in first. */
export const messageCells = ({ inMsg, outMsgs }: Transaction): Cell[] => [
  ...(inMsg === undefined ? [] : [inMsg]),
  ...outMsgs.entries().map(([, cell]) => cell),
]
