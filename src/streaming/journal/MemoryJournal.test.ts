import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplePendingTrace } from '../../../test/support/samplePendingTrace.ts'
import type { ConfirmedChange } from '../../pending/confirmed/ConfirmedChange.ts'
import { PendingChanges } from '../../pending/PendingChanges.ts'
import type { PendingTrace } from '../../store/reader/pending.ts'
import type { StreamEvent } from '../events.ts'
import { type JournalLimits, type JournalOptions, MemoryJournal } from './MemoryJournal.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

const silent = { debug() {}, info() {}, warn() {}, error: assert.fail, child: () => silent }

const openJournal = (limits: Partial<JournalLimits> = {}, options: Partial<JournalOptions> = {}) => {
  const changes = new PendingChanges(silent)
  let others: ((change: never) => void) | undefined
  changes.connect((listener) => {
    others = listener as (change: never) => void
    return () => {
      others = undefined
    }
  })
  let now = 0
  const head = { seqno: 7, utime: 100 }
  const journal = new MemoryJournal({
    listen: (listener) => changes.listen(listener, { others: true }),
    findHead: () => head,
    logger: silent,
    limits,
    now: () => now,
    ...options,
  })
  const put = (trace: PendingTrace): void => changes.emit({ kind: 'stored', trace, isOwn: true })
  const putOther = (trace: PendingTrace): void => others?.({ kind: 'stored', trace, isOwn: false } as never)
  const pass = (ms: number): void => {
    now += ms
  }
  return { journal, changes, put, putOther, pass, head, isWatched: () => others !== undefined }
}

const describe = (event: StreamEvent): string =>
  `${event.id.split('-').at(-1)} ${event.kind} ${('trace' in event ? event.trace.externalHashNorm! : (event as { externalHashNorm: Uint8Array }).externalHashNorm)[0]}`

/** With its first transactions indexed. */
const begun = (trace: PendingTrace, real: number): PendingTrace => ({
  ...trace,
  traceId: trace.transactions[0]!.hash,
  transactions: trace.transactions.map((each, k) => ({
    ...each,
    isEmulated: k >= real,
    finality: k >= real ? ('pending' as const) : ('finalized' as const),
  })),
})

const sample = (normal: number, accounts = [1, 2]): PendingTrace =>
  samplePendingTrace({ normal, plain: normal + 100, accounts })

test('a trace is transactions, actions and a tree; what did not change is not sent again', () => {
  const { journal, put } = openJournal()
  const seen: StreamEvent[] = []
  journal.follow((event) => seen.push(event))
  put(sample(1))
  assert.deepEqual(seen.map(describe), ['1 tx 1', '2 ac 1', '3 tr 1'])
  assert.deepEqual(
    seen.map(({ id, finality, mcSeqno, utime }) => [id, finality, mcSeqno, utime]),
    [1, 2, 3].map((n) => [`s-7-${journal.name}-${n}`, 'pending', 7, 100]),
  )
  assert.match(journal.name, /^[0-9a-f]{8}$/)
  put(sample(1))
  assert.equal(seen.length, 3)
  // Actions that came later.
  put({ ...sample(2), actions: undefined })
  put(sample(2))
  assert.deepEqual(seen.slice(3).map(describe), ['4 tx 2', '5 tr 2', '6 ac 2', '7 tr 2'])
})

test('content never gets older, and what is final is not sent by the journal', () => {
  const { journal, changes, put, putOther } = openJournal()
  const seen: StreamEvent[] = []
  journal.follow((event) => seen.push(event))
  put(sample(1))
  put(begun(sample(1), 1))
  const count = seen.length
  assert.ok(count > 3)
  putOther(sample(1))
  assert.equal(seen.length, count, 'an older version of another process')
  const [last] = seen.slice(-1)
  assert.ok(last?.kind === 'tr' && last.trace.traceId !== undefined)
  assert.deepEqual(
    last.trace.transactions.map(({ finality }) => finality),
    ['finalized', 'pending'],
  )
  put(begun(sample(1), 2))
  assert.equal(seen.length, count, 'nothing is pending')
  putOther(begun(sample(1), 1))
  changes.emit({ kind: 'ended', normalHash: hash(1), end: { reason: 'lifetime' } })
  assert.equal(seen.length, count, 'the log has it')
  // Of another process alone.
  putOther(sample(2))
  assert.deepEqual(seen.slice(count).map(describe).slice(0, 1), [`${count + 1} tx 2`])
})

test('an invalidated trace says why, once, and may come to life again', () => {
  const { journal, changes, put } = openJournal()
  const seen: StreamEvent[] = []
  journal.follow((event) => seen.push(event))
  put(sample(1))
  for (let k = 0; k < 2; k++) {
    changes.emit({ kind: 'ended', normalHash: hash(1), end: { reason: 'rejected', exitCode: 33 } })
  }
  changes.emit({ kind: 'ended', normalHash: hash(9), end: { reason: 'lifetime' } })
  const told = seen.slice(3)
  assert.deepEqual(told.map(describe), ['4 expired 1', '5 invalidated 1'])
  for (const event of told) assert.ok('reason' in event && event.reason === 'rejected' && event.exitCode === 33)
  put(sample(1))
  assert.deepEqual(seen.slice(5).map(describe), ['6 tx 1', '7 ac 1', '8 tr 1'])
  changes.emit({ kind: 'cleared' })
  assert.deepEqual(seen.slice(8).map(describe), ['9 expired 1', '10 invalidated 1'])
})

test('a reader goes on where it was, without what was replaced', () => {
  const { journal, changes, put } = openJournal()
  journal.follow(() => undefined)
  put(sample(1))
  put(sample(2))
  put(begun(sample(1), 1))
  const since = (n: number) => journal.since(n)?.map(describe)
  assert.deepEqual(since(0), ['2 ac 1', '4 tx 2', '5 ac 2', '6 tr 2', '7 tx 1', '8 tr 1'])
  assert.deepEqual(journal.since(journal.size.events), [])
  assert.equal(since(journal.size.events + 1), undefined, 'not yet')
  changes.emit({ kind: 'ended', normalHash: hash(2), end: { reason: 'replaced' } })
  put(sample(2))
  const events = since(3)!
  assert.deepEqual(
    events.filter((each) => each.endsWith(' 2')).map((each) => each.split(' ')[1]),
    ['expired', 'invalidated', 'tx', 'ac', 'tr'],
  )
})

test('it is bounded by count, size and age; what was dropped is told', () => {
  const small = openJournal({ maxEvents: 4 })
  small.journal.follow(() => undefined)
  for (const normal of [1, 2, 3]) small.put(sample(normal))
  assert.equal(small.journal.size.events, 4)
  assert.equal(small.journal.since(4), undefined)
  assert.equal(small.journal.since(5)?.length, 4)

  const light = openJournal({ maxBytes: 12_000 })
  light.journal.follow(() => undefined)
  for (let k = 0; k < 200; k++) light.put(sample(k))
  assert.ok(light.journal.size.bytes <= 12_000 && light.journal.size.events > 3, JSON.stringify(light.journal.size))

  const young = openJournal({ maxAgeMs: 1000 })
  const leave = young.journal.follow(() => undefined)
  young.put(sample(1))
  young.pass(600)
  young.put(sample(2))
  young.pass(600)
  assert.equal(young.journal.since(2), undefined)
  assert.equal(young.journal.since(3)?.length, 3)
  leave()
  young.journal.close()

  const few = openJournal({ maxTraces: 2 })
  few.journal.follow(() => undefined)
  for (const normal of [1, 2, 3]) few.put(sample(normal))
  assert.equal(few.journal.size.traces, 2)
})

test('nothing is recorded, and no other process is watched, while nobody follows', async () => {
  const { journal, put, isWatched } = openJournal({ maxAgeMs: 20 })
  put(sample(1))
  assert.equal(isWatched(), false)
  assert.equal(journal.since(0), undefined)
  const leave = journal.follow(() => undefined)
  assert.equal(isWatched(), true)
  put(sample(2))
  assert.equal(journal.since(0)?.length, 3)
  leave()
  assert.equal(isWatched(), true, 'a reader may come back')
  await new Promise((done) => setTimeout(done, 60))
  assert.equal(isWatched(), false)
  const seen: StreamEvent[] = []
  const again = journal.follow((event) => seen.push(event))
  assert.equal(journal.since(3), undefined, 'what happened meanwhile is not known')
  put(sample(2))
  assert.deepEqual(journal.since(4), seen)
  again()
  journal.close()
})

test('facts of accounts are read first, the order of changes stays, and nobody waits long for them', async () => {
  const answers: (() => void)[] = []
  const facts = new Map([['a', { jettonMaster: hash(5) }]])
  const findFacts = () => new Promise<typeof facts>((done) => answers.push(() => done(facts)))
  const { journal, changes, put } = openJournal({}, { findFacts })
  const seen: StreamEvent[] = []
  journal.follow((event) => seen.push(event))
  put(sample(1))
  put(sample(2))
  changes.emit({ kind: 'ended', normalHash: hash(1), end: { reason: 'lifetime' } })
  assert.equal(seen.length, 0)
  answers[1]!()
  answers[0]!()
  await new Promise((done) => setTimeout(done, 5))
  assert.deepEqual(
    seen.map((event) => describe(event).slice(2)),
    ['tx 1', 'ac 1', 'tr 1', 'tx 2', 'ac 2', 'tr 2', 'expired 1', 'invalidated 1'],
  )
  assert.ok(seen[0]?.kind === 'tx' && 'trace' in seen[0] && seen[0].trace.facts === facts)
  put(sample(3))
  await new Promise((done) => setTimeout(done, 400))
  assert.equal(seen.length, 11)
})

test('a confirmed block is events in the order of its step; what is discarded is taken back', () => {
  let onChange: ((change: ConfirmedChange) => void) | undefined
  const listenConfirmed = (listener: (change: ConfirmedChange) => void) => {
    onChange = listener
    return () => {
      onChange = undefined
    }
  }
  const { journal, put } = openJournal({}, { listenConfirmed })
  const seen: StreamEvent[] = []
  journal.follow((event) => seen.push(event))
  assert.equal(onChange, undefined, 'nobody wants it')
  const leave = journal.demand()
  put(sample(1))
  const pending = seen.length
  const whole = begun(sample(1), 2)
  const trace = {
    ...whole,
    transactions: whole.transactions.map((each) => ({ ...each, finality: 'confirmed' as const })),
  }
  const accounts = trace.transactions.map((each) => ({
    account: each.account,
    transactions: [each],
    traceHashes: [hash(1)],
    state: each.stateAfter,
    previous: each.stateBefore,
    lt: each.lt,
    lastTransactionHash: each.hash,
  }))
  const confirmed: ConfirmedChange = { kind: 'confirmed', genUtime: 99, traces: [trace], accounts, wallets: [] }
  onChange!(confirmed)
  const kinds = (from: number): string[] => seen.slice(from).map(({ kind, finality }) => `${kind} ${finality}`)
  const step = ['tx', 'tx', 'tx', 'st', 'st', 'tr'].map((kind) => `${kind} confirmed`)
  assert.deepEqual(kinds(pending), step)
  // Nothing older follows, and nothing twice.
  put(sample(1))
  const before = seen.length
  const [{ account, state, lt }] = accounts as [(typeof accounts)[number]]
  onChange!({ kind: 'discarded', traces: [hash(1), hash(2)], states: [{ account, hash: state.hash, lt }] })
  assert.deepEqual(
    seen.slice(before).map(({ kind }) => kind),
    ['expired', 'invalidated', 'stateInvalidated'],
  )
  assert.ok(seen.slice(before).every((event) => !('reason' in event) || event.reason === 'block_discarded'))
  // Who resumes gets no state that was taken back.
  const rest = journal.since(pending)!
  assert.deepEqual(
    rest.map(({ kind }) => kind),
    ['st', 'expired', 'invalidated', 'stateInvalidated'],
  )
  const again = seen.length
  onChange!(confirmed)
  assert.deepEqual(kinds(again), [...step.slice(0, 5), 'ac confirmed', 'tr confirmed'])
  leave()
  leave()
  assert.equal(onChange, undefined)
  journal.close()
})

test('traces of a process that is gone are invalidated, but for those that the index has', async () => {
  const asked: number[][] = []
  const findExecuted = async (hashes: readonly Uint8Array[]) => {
    asked.push(hashes.map(([byte]) => byte!))
    return hashes.filter(([byte]) => byte === 2)
  }
  const { journal, put, putOther, pass } = openJournal({}, { findExecuted })
  const seen: StreamEvent[] = []
  journal.follow((event) => seen.push(event))
  put(sample(4))
  for (const normal of [1, 2, 3]) putOther(sample(normal))
  pass(60_000)
  putOther(sample(3))
  await journal.checkSilent()
  pass(40_000)
  const { length } = seen
  await journal.checkSilent()
  assert.deepEqual(asked, [[1, 2]])
  assert.deepEqual(
    seen.slice(length).map((event) => describe(event).split(' ').slice(1).join(' ')),
    ['expired 1', 'invalidated 1'],
  )
  await journal.checkSilent()
  assert.equal(asked.length, 1)
  journal.close()
})
