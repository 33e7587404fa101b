import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type MessageKind,
  type PlainTransaction,
  toLinkableUnit,
} from '../../../test/support/traces/PlainTransaction.ts'
import type { LinkedTraces } from '../IndexBatch.ts'
import type { OpenTraces } from '../OpenTraces.ts'
import { BrokenOpenTracesError } from './BrokenOpenTracesError.ts'
import type { LinkableUnit } from './LinkableUnit.ts'
import { linkUnits, NOTHING_OPEN } from './linkUnits.ts'

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
): { linked: LinkedTraces; unit: LinkableUnit } => {
  const unit = toLinkableUnit(seqno, transactions)
  return { linked: linkUnits({ below, units: [unit], above }), unit }
}

const first = (hash: Uint8Array | undefined): number | undefined => hash?.[0]
const names = ({ renamed }: LinkedTraces) => renamed.map(({ from, to }) => `${from[0]} is ${to[0]}`)

test('a trace is finished with the last of its messages, and counts every message once', () => {
  const external = { kind: 'externalIn', hash: bytes(32, 100), normal: bytes(32, 101) } as const
  const { linked, unit } = link(7, [
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
  const { rows } = unit.messages
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
  const unit = toLinkableUnit(8, [tx(8, 3, message('internal', 103))])
  const linked = linkUnits({ below: NOTHING_OPEN, units: [unit], above: upper.linked.open, isFromFirst: true })
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
