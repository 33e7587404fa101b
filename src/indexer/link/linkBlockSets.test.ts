import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/hostile/Random.ts'
import { readFixture, readFixtureJson } from '../../../test/support/fixtures.ts'
import { growForest } from '../../../test/support/traces/growForest.ts'
import {
  type MessageKind,
  type PlainTransaction,
  toLinkableBlockSet,
} from '../../../test/support/traces/PlainTransaction.ts'
import { rebuildTraces } from '../../../test/support/traces/rebuildTraces.ts'
import { TraceLedger } from '../../../test/support/traces/TraceLedger.ts'
import type { TraceState } from '../../../test/support/traces/TraceState.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { fromHex } from '../../primitives/hex.ts'
import type { LinkedTraces, OpenTraces } from '../IndexBatch.ts'
import { BrokenOpenTracesError, type LinkableBlockSet } from './findAwaited.ts'
import { linkBlockSets, NOTHING_OPEN } from './linkBlockSets.ts'

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)

type Received = PlainTransaction['received']

/** Transaction `n` has the hash, the account and (times ten) the lt `n`; a message is known by the byte of its hash. */
const tx = (
  seqno: number,
  n: number,
  received: Received,
  ...sent: readonly [MessageKind, number][]
): PlainTransaction => ({
  seqno,
  lt: BigInt(n * 10),
  now: 1000 + n,
  hash: bytes(32, n),
  account: bytes(33, n),
  received,
  sent: sent.map(([kind, hash], k) => ({ kind, hash: bytes(32, hash), lt: BigInt(n * 10 + k + 1) })),
})

const message = (kind: MessageKind, hash: number): NonNullable<Received> => ({ kind, hash: bytes(32, hash) })

const link = (
  seqno: number,
  transactions: readonly PlainTransaction[],
  { below = NOTHING_OPEN, above }: { below?: OpenTraces; above?: OpenTraces } = {},
): { linked: LinkedTraces; blockSet: LinkableBlockSet } => {
  const blockSet = toLinkableBlockSet(seqno, transactions)
  return { linked: linkBlockSets({ below, blockSets: [blockSet], above }), blockSet }
}

const first = (hash: Uint8Array | undefined): number | undefined => hash?.[0]
const names = ({ renamed }: LinkedTraces) => renamed.map(({ from, to }) => `${from[0]} is ${to[0]}`)

test('a trace is finished with the last of its messages, and counts every message once', () => {
  const external = { kind: 'externalIn', hash: bytes(32, 100), normal: bytes(32, 101) } as const
  const { linked, blockSet } = link(7, [
    tx(7, 1, external, ['internal', 110], ['externalOut', 111]),
    tx(7, 2, message('internal', 110), ['elsewhere', 112]),
  ])
  assert.deepEqual(linked, {
    finished: [
      {
        traceId: bytes(32, 1),
        startLt: 10n,
        endLt: 20n,
        startSeqno: 7,
        endSeqno: 7,
        startUtime: 1001,
        endUtime: 1002,
        transactions: 2,
        messages: 4,
        pending: 0,
        orphanHash: undefined,
      },
    ],
    touched: [],
    open: NOTHING_OPEN,
    arrived: [],
    unreceived: [Uint32Array.of(1, 2)],
    renamed: [],
  })
  const { rows } = blockSet.messages
  const ids = [0, 1, 2].map((row) => rows.bytes[rows.ends[row]! - 1])
  assert.deepEqual(ids, [0, 1, 1], 'only rows that are written get their trace')
})

test('what nobody sent begins a trace: nothing, and messages from outside, from the block and from accounts not watched', () => {
  const { linked } = link(1, [
    tx(1, 1, undefined),
    tx(1, 2, message('externalIn', 100)),
    tx(1, 3, message('system', 101)),
    tx(1, 4, message('elsewhere', 102)),
    tx(1, 5, message('internal', 103)),
  ])
  assert.deepEqual(
    linked.finished.map(({ traceId, messages }) => [first(traceId), messages]),
    [
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 1],
    ],
  )
  const [orphan] = linked.open.traces
  assert.deepEqual([first(orphan?.orphanHash), orphan?.messages], [103, 0])
})

test('where the chain begins below, a message that nobody sent begins a trace', () => {
  const upper = link(9, [tx(9, 5, message('internal', 105), ['internal', 106]), tx(9, 6, message('internal', 107))])
  assert.deepEqual(
    upper.linked.open.traces.map(({ traceId, orphanHash }) => [first(traceId), first(orphanHash)]),
    [
      [5, 105],
      [6, 107],
    ],
  )
  const blockSet = toLinkableBlockSet(8, [tx(8, 3, message('internal', 103))])
  const linked = linkBlockSets({
    below: NOTHING_OPEN,
    blockSets: [blockSet],
    above: upper.linked.open,
    isFromFirst: true,
  })
  const told = ({ traceId, messages }: { readonly traceId: Uint8Array; readonly messages: number }) => [
    first(traceId),
    messages,
  ]
  assert.deepEqual(linked.finished.map(told), [
    [3, 1],
    [6, 1],
  ])
  assert.deepEqual(linked.touched.map(told), [[5, 1]])
  assert.deepEqual(linked.open.traces, linked.touched)
  assert.equal(linked.touched[0]?.orphanHash, undefined)
  assert.deepEqual(names(linked), [])
})

test('two orphans of one trace get its id, and with them it is finished where they end', () => {
  const above = link(9, [tx(9, 3, message('internal', 110)), tx(9, 4, message('internal', 111))]).linked.open
  assert.equal(above.traces.length, 2)
  const { linked } = link(8, [tx(8, 1, undefined, ['internal', 110], ['internal', 111])], { above })
  assert.deepEqual(names(linked), ['3 is 1', '4 is 1'])
  assert.deepEqual(linked.open, NOTHING_OPEN)
  assert.deepEqual(linked.unreceived, [new Uint32Array(0)])
  const [trace] = linked.finished
  assert.deepEqual(
    [trace?.endLt, trace?.startSeqno, trace?.endSeqno, trace?.transactions, trace?.messages],
    [40n, 8, 9, 3, 2],
  )
})

test('an orphan that turns out to belong to another orphan is renamed again with it', () => {
  const top = link(9, [tx(9, 3, message('internal', 111), ['internal', 112])]).linked.open
  const middle = link(8, [tx(8, 2, message('internal', 110), ['internal', 111])], { above: top }).linked
  assert.deepEqual(names(middle), ['3 is 2'])
  assert.deepEqual(
    middle.open.traces.map(({ traceId, orphanHash, pending }) => [first(traceId), first(orphanHash), pending]),
    [[2, 110, 1]],
  )
  assert.equal(first(middle.open.messages[0]?.traceId), 2)
  const bottom = link(7, [tx(7, 1, undefined, ['internal', 110])], { above: middle.open }).linked
  assert.deepEqual(names(bottom), ['2 is 1'])
  assert.equal(first(bottom.open.messages[0]?.traceId), 1)
  const live = link(10, [tx(10, 4, message('internal', 112))], { below: bottom.open }).linked
  assert.deepEqual(
    live.arrived.map(({ hash, account, createdLt, seqno }) => [first(hash), first(account), createdLt, seqno]),
    [[112, 3, 31n, 9]],
  )
  assert.deepEqual(live.open, NOTHING_OPEN)
  assert.deepEqual([live.finished[0]?.transactions, live.finished[0]?.messages, live.finished[0]?.endSeqno], [4, 3, 10])
})

test('what fills the gap between two ranges lets a message of the lower arrive in the upper', () => {
  const below = link(1, [tx(1, 1, undefined, ['internal', 110], ['internal', 111])]).linked.open
  const above = link(3, [tx(3, 2, message('internal', 110))]).linked.open
  const { linked } = link(2, [], { below, above })
  assert.deepEqual(names(linked), ['2 is 1'])
  assert.deepEqual(linked.arrived, [below.messages[0]])
  assert.deepEqual(linked.open.messages, [below.messages[1]])
  assert.deepEqual(linked.touched, linked.open.traces)
  assert.deepEqual([linked.touched[0]?.pending, linked.touched[0]?.transactions], [1, 2])
})

test('a message is received once', () => {
  const received = message('internal', 110)
  const { linked } = link(1, [tx(1, 1, undefined, ['internal', 110]), tx(1, 2, received), tx(1, 3, received)])
  assert.deepEqual([linked.finished.length, linked.finished[0]?.transactions], [1, 2])
  assert.deepEqual(
    linked.open.traces.map(({ traceId, orphanHash }) => [first(traceId), first(orphanHash)]),
    [[3, 110]],
  )
})

test('what does not change is handed on as it is', () => {
  const below = link(1, [tx(1, 1, undefined, ['internal', 110]), tx(1, 2, undefined, ['internal', 111])]).linked.open
  const { linked } = link(2, [tx(2, 3, message('internal', 111), ['internal', 112])], { below })
  assert.equal(linked.open.traces[0], below.traces[0])
  assert.equal(linked.open.messages[0], below.messages[0])
  assert.deepEqual(
    linked.touched.map(({ traceId }) => first(traceId)),
    [2],
  )
})

test('a message under way without its trace is refused', () => {
  const { messages } = link(1, [tx(1, 1, undefined, ['internal', 110])]).linked.open
  const below = { traces: [], messages }
  assert.throws(() => link(2, [tx(2, 2, message('internal', 110))], { below }), BrokenOpenTracesError)
})

const seed = Number(process.env['FC_SEED'] ?? 1)
const RUNS = 150
const MAX_BATCH = 6

type Batch = readonly [first: number, last: number]

/** The block sets from `first` to `last` in random batches, upwards. */
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

test('in whatever order block sets come, the traces are those of all transactions together', (t) => {
  t.diagnostic(`seed ${seed}`)
  const seen = { transactions: 0, finished: 0, open: 0, batches: 0, renames: 0 }
  for (let run = 0; run < RUNS; run++) {
    const random = new Random(seed, run)
    const blockSets = random.between(1, 40)
    const forest = growForest(random, {
      blockSets,
      width: random.pick([2, 6, 14]),
      beginnings: random.pick([1, 3, 1000]),
    })
    // Where the chain begins in the middle, what came before is never known.
    const cut = random.once(3) ? random.below(blockSets) : 0
    const transactions = forest.filter(({ seqno }) => seqno > cut).map((tx) => ({ ...tx, seqno: tx.seqno - cut }))
    const last = blockSets - cut
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

type RecordedMessage = {
  readonly type: 'internal' | 'external-in' | 'external-out'
  readonly hash: string
  readonly src: string | null
  readonly created_lt: string
}
type RecordedTransaction = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly now: number
  readonly hash: string
  readonly in_msg?: RecordedMessage
  readonly out_msgs: readonly RecordedMessage[]
}
type RecordedBlocks = {
  readonly blocks: readonly { readonly file: string; readonly start_lt: string; readonly masterchain_seqno: number }[]
}

const LAST = 400
const KINDS = { internal: 'internal', 'external-in': 'externalIn', 'external-out': 'externalOut' } as const
const SYSTEM = `-1:${'0'.repeat(64)}`

const readTransactions = (): PlainTransaction[] => {
  const { blocks } = readFixtureJson<RecordedBlocks>('localnet/blocks/index.json')
  const byName = new Map(blocks.map((block) => [block.file.replace('.boc', ''), block]))
  const lines = new TextDecoder().decode(readFixture('localnet/transactions.jsonl')).trimEnd().split('\n')
  return lines.map((line) => {
    const tx = JSON.parse(line) as RecordedTransaction
    const block = byName.get(tx.block)!
    const kindOf = ({ type, src, created_lt }: RecordedMessage): MessageKind =>
      src === SYSTEM && created_lt === block.start_lt ? 'system' : KINDS[type]
    return {
      seqno: block.masterchain_seqno,
      lt: BigInt(tx.lt),
      now: tx.now,
      hash: fromHex(tx.hash, 32),
      account: addressKeyOf(parseAddress(tx.account)),
      received: tx.in_msg && { kind: kindOf(tx.in_msg), hash: fromHex(tx.in_msg.hash, 32) },
      sent: tx.out_msgs.map((sent) => ({
        kind: KINDS[sent.type],
        hash: fromHex(sent.hash, 32),
        lt: BigInt(sent.created_lt),
      })),
    }
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

test('the recorded chain has the same traces forwards, newest first, and built from their roots', (t) => {
  const transactions = readTransactions()
  const expected = rebuildTraces(transactions)

  const whole = new TraceLedger(transactions)
  assert.deepEqual(whole.index(1, LAST).state, expected)

  const live = new TraceLedger(transactions)
  for (let seqno = 1; seqno <= LAST; seqno++) live.index(seqno, seqno)
  assert.deepEqual(live.ranges[0]?.state, expected)

  const newestFirst = new TraceLedger(transactions)
  for (let seqno = 300; seqno <= LAST; seqno++) newestFirst.index(seqno, seqno)
  for (let last = 299; last >= 1; last -= 7) newestFirst.index(Math.max(1, last - 6), last)
  assert.deepEqual(newestFirst.ranges[0]?.state, expected)

  // From the counts of the recording alone: 1600 transactions without a message, 184 external messages, 401 of the blocks
  // themselves; 1750 internal messages, all of them received, and 498 that left.
  const traces = Object.values(expected.finished)
  assert.equal(traces.length, 1600 + 184 + 401)
  assert.equal(sum(traces.map(({ transactions: count }) => count)), 3935)
  assert.equal(sum(traces.map(({ messages }) => messages)), 184 + 401 + 1750 + 498)
  assert.deepEqual([expected.open, expected.underWay], [{}, {}])
  assert.equal(Object.keys(expected.unreceived).length, 498)
  const longest = Math.max(...traces.map(({ startSeqno, endSeqno }) => endSeqno - startSeqno + 1))
  const largest = Math.max(...traces.map(({ transactions: count }) => count))
  const { renames } = newestFirst
  t.diagnostic(
    `${traces.length} traces; up to ${largest} transactions over ${longest} blocks; ${renames} orphans found`,
  )
  assert.ok(renames > 0)
})
