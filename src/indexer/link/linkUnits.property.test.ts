import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/hostile/Random.ts'
import { growForest } from '../../../test/support/traces/growForest.ts'
import type { PlainTransaction } from '../../../test/support/traces/PlainTransaction.ts'
import { rebuildTraces } from '../../../test/support/traces/rebuildTraces.ts'
import { TraceLedger } from '../../../test/support/traces/TraceLedger.ts'
import type { TraceState } from '../../../test/support/traces/TraceState.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const RUNS = 150
const MAX_BATCH = 6

type Batch = readonly [first: number, last: number]

/** The units from `first` to `last` in random batches, upwards. */
const batchesUp = (random: Random, first: number, last: number): Batch[] => {
  const batches: Batch[] = []
  for (let next = first; next <= last; ) {
    const end = Math.min(last, next + random.below(MAX_BATCH))
    batches.push([next, end])
    next = end + 1
  }
  return batches
}

/** Newest first: from a random start, live batches upwards and backfilled ones downwards, as they happen to come. */
const newestFirst = (random: Random, last: number): Batch[] => {
  const start = random.between(1, last)
  const live = batchesUp(random, start, last)
  const backfill = batchesUp(random, 1, start - 1).reverse()
  const batches = [live.shift()!]
  while (live.length + backfill.length > 0) {
    const from = backfill.length === 0 || (live.length > 0 && random.once(2)) ? live : backfill
    batches.push(from.shift()!)
  }
  return batches
}

/** In no order at all, so that ranges come up apart and meet. */
const shuffled = (random: Random, last: number): Batch[] => {
  const batches = batchesUp(random, 1, last)
  return batches
    .map((batch) => ({ batch, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ batch }) => batch)
}

/** Indexes batch after batch, and looks after each whether the range that it belongs to is as it should be. */
const indexAll = (transactions: readonly PlainTransaction[], batches: readonly Batch[]): TraceLedger => {
  const ledger = new TraceLedger(transactions)
  for (const [first, last] of batches) {
    const range = ledger.index(first, last)
    const covered = transactions.filter(({ seqno }) => seqno >= range.first && seqno <= range.last)
    assert.deepEqual(range.state, rebuildTraces(covered))
  }
  assert.equal(ledger.ranges.length, 1)
  return ledger
}

test('in whatever order units come, the traces are those of all transactions together', (t) => {
  t.diagnostic(`seed ${seed}`)
  const seen = { transactions: 0, finished: 0, open: 0, batches: 0, renames: 0 }
  for (let run = 0; run < RUNS; run++) {
    const random = new Random(seed, run)
    const units = random.between(1, 40)
    const forest = growForest(random, { units, width: random.pick([2, 6, 14]), beginnings: random.pick([1, 3, 1000]) })
    // Where the chain begins in the middle, what came before is never known.
    const cut = random.once(3) ? random.below(units) : 0
    const transactions = forest.filter(({ seqno }) => seqno > cut).map((tx) => ({ ...tx, seqno: tx.seqno - cut }))
    const last = units - cut
    const schedules = [
      [[1, last] as const],
      batchesUp(random, 1, last),
      newestFirst(random, last),
      newestFirst(random, last),
      shuffled(random, last),
    ]
    let expected: TraceState | undefined
    for (const batches of schedules) {
      const ledger = indexAll(transactions, batches)
      const { state } = ledger.ranges[0]!
      expected ??= state
      assert.deepEqual(state, expected)
      seen.renames += ledger.renames
      seen.batches += batches.length
    }
    seen.transactions += transactions.length
    seen.finished += Object.keys(expected!.finished).length
    seen.open += Object.keys(expected!.open).length
  }
  t.diagnostic(JSON.stringify(seen))
  assert.ok(seen.renames > 1000 && seen.finished > 1000 && seen.open > 1000)
})
