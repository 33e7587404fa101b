import { Random } from '../../../test/hostile/Random.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { measure } from '../../../test/support/measure.ts'
import { growForest } from '../../../test/support/traces/growForest.ts'
import { toLinkableUnit } from '../../../test/support/traces/PlainTransaction.ts'
import type { OpenTraces } from '../IndexBatch.ts'
import type { LinkableUnit } from './findAwaited.ts'
import { linkUnits, NOTHING_OPEN } from './linkBlockSets.ts'

const UNITS = 50
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

const createUnits = (random: Random): LinkableUnit[] => {
  const forest = growForest(random, { units: UNITS, width: WIDTH, beginnings: 1_000_000 })
  return Array.from({ length: UNITS }, (_, k) =>
    toLinkableUnit(
      k + 1,
      forest.filter(({ seqno }) => seqno === k + 1),
    ),
  )
}

const countTransactions = (units: readonly LinkableUnit[]): number =>
  units.reduce((sum, { transactions }) => sum + transactions.count, 0)

export const run = (): Record<string, number> => {
  const random = new Random(1, 1)
  const units = createUnits(random)
  const lower = units.slice(0, UNITS / 2)
  const upper = units.slice(UNITS / 2)
  const above = linkUnits({ below: NOTHING_OPEN, units: upper, above: undefined }).open
  const { whole, backfill } = measure({
    whole: () => linkUnits({ below: NOTHING_OPEN, units, above: undefined }),
    backfill: () => linkUnits({ below: NOTHING_OPEN, units: lower, above }),
  })
  // Made only now: the collector would look through it while the others are measured.
  const congestion = createCongestion(random)
  const { congested } = measure({
    congested: () => linkUnits({ below: congestion, units: upper.slice(0, 1), above: undefined }),
  })
  const figures = {
    us_per_tx: (whole.cpuMs * 1000) / countTransactions(units),
    us_per_tx_backfill: (backfill.cpuMs * 1000) / countTransactions(lower),
    ms_per_congested_unit: congested.cpuMs,
  }
  const counts = { transactions: countTransactions(units), 'open above': above.traces.length, congested: CONGESTED }
  console.log(formatTable([{ ...counts, ...figures }]))
  return figures
}
