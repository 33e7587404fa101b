import { formatTable } from '../../../test/support/formatTable.ts'
import { measure } from '../../../test/support/measure.ts'
import { listLocalnetBlockSets, listMainnetBlockSets } from '../../../test/support/rawBlockSets.ts'
import type { RawBlockSet } from '../blockSets.ts'
import { decodeBlockSet } from './decodeBlockSet.ts'

type Counts = { transactions: number; messages: number; blockBytes: number; rowBytes: number }

// One after another, as they are handed on: results that pile up would be the collector's work.
const decodeAll = (blockSets: readonly RawBlockSet[]): Counts => {
  const counts: Counts = { transactions: 0, messages: 0, blockBytes: 0, rowBytes: 0 }
  for (const blockSet of blockSets) {
    const { transactions, messages, contents } = decodeBlockSet(blockSet)
    counts.transactions += transactions.count
    counts.messages += messages.count
    counts.rowBytes += transactions.rows.bytes.length + contents.rows.bytes.length
    counts.blockBytes += blockSet.masterchain.bytes.length
    for (const { bytes } of blockSet.shards) counts.blockBytes += bytes.length
  }
  return counts
}

/** Time to decode each transaction with its messages, over whole chains of blocks. */
export const run = (): Record<string, number> => {
  const sets: Record<string, readonly RawBlockSet[]> = {
    // Many blocks of few transactions, and some with hundreds.
    localnet: listLocalnetBlockSets(),
    mainnet: listMainnetBlockSets('mainnet'),
  }
  const figures: Record<string, number> = {}
  const rows = Object.entries(sets).map(([name, blockSets]) => {
    const { transactions, messages, blockBytes, rowBytes } = decodeAll(blockSets)
    const { all } = measure({ all: () => decodeAll(blockSets) }, { rounds: 7, roundMs: 1000, warmupMs: 3000 })
    const microseconds = (1000 * all.cpuMs) / transactions
    figures[`${name}_us_per_tx`] = microseconds
    return {
      set: name,
      blockSets: blockSets.length,
      transactions,
      messages,
      'block bytes per tx': Math.round(blockBytes / transactions),
      'row bytes per tx': Math.round(rowBytes / transactions),
      'µs per tx': microseconds,
    }
  })
  console.log(formatTable(rows))
  return figures
}
