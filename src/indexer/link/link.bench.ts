import { Random } from '../../../test/hostile/Random.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { measure } from '../../../test/support/measure.ts'
import { growForest } from '../../../test/support/traces/growForest.ts'
import { toLinkableBlockSet } from '../../../test/support/traces/PlainTransaction.ts'
import type { OpenTraces } from '../IndexBatch.ts'
import type { LinkableBlockSet } from './findAwaited.ts'
import { linkBlockSets, NOTHING_OPEN } from './linkBlockSets.ts'

const BLOCK_SETS = 50
const WIDTH = 600
const CONGESTED = 100_000

/** As after hours of congestion: traces with a message each that nobody has received. */
const createCongestion = (random: Random): OpenTraces => {
  const traces = Array.from({ length: CONGESTED }, () => ({
    startLt: 1n,
    endLt: 1n,
    startSeqno: 1,
    endSeqno: 1,
    startUtime: 1,
    endUtime: 1,
    traceId: random.bytes(32),
    orphanHash: undefined,
    transactions: 1,
    messages: 0,
    pending: 1,
  }))
  const account = random.bytes(33)
  const messages = traces.map(({ traceId }) => ({ hash: random.bytes(32), traceId, account, createdLt: 2n, seqno: 1 }))
  return { traces, messages }
}

const createBlockSets = (random: Random): LinkableBlockSet[] => {
  const forest = growForest(random, { blockSets: BLOCK_SETS, width: WIDTH, beginnings: 1_000_000 })
  return Array.from({ length: BLOCK_SETS }, (_, k) =>
    toLinkableBlockSet(
      k + 1,
      forest.filter(({ seqno }) => seqno === k + 1),
    ),
  )
}

const countTransactions = (blockSets: readonly LinkableBlockSet[]): number =>
  blockSets.reduce((sum, { transactions }) => sum + transactions.count, 0)

export const run = (): Record<string, number> => {
  const random = new Random(1, 1)
  const blockSets = createBlockSets(random)
  const lower = blockSets.slice(0, BLOCK_SETS / 2)
  const upper = blockSets.slice(BLOCK_SETS / 2)
  const above = linkBlockSets({ below: NOTHING_OPEN, blockSets: upper, above: undefined }).open
  const { whole, backfill } = measure({
    whole: () => linkBlockSets({ below: NOTHING_OPEN, blockSets, above: undefined }),
    backfill: () => linkBlockSets({ below: NOTHING_OPEN, blockSets: lower, above }),
  })
  // Made only now: the collector would look through it while the others are measured.
  const congestion = createCongestion(random)
  const { congested } = measure({
    congested: () => linkBlockSets({ below: congestion, blockSets: upper.slice(0, 1), above: undefined }),
  })
  const figures = {
    us_per_tx: (whole.cpuMs * 1000) / countTransactions(blockSets),
    us_per_tx_backfill: (backfill.cpuMs * 1000) / countTransactions(lower),
    ms_per_congested_unit: congested.cpuMs,
  }
  const counts = { transactions: countTransactions(blockSets), 'open above': above.traces.length, congested: CONGESTED }
  console.log(formatTable([{ ...counts, ...figures }]))
  return figures
}
