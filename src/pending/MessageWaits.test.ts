import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplePendingTrace } from '../../test/support/samplePendingTrace.ts'
import type { MessageWait, WaitOptions, WaitRequest } from '../chain/confirmations.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { MessageWaits } from './MessageWaits.ts'
import { type PendingChange, PendingChanges } from './PendingChanges.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const message = new CellWriter().toCell()
const silent = { debug() {}, info() {}, warn() {}, error: assert.fail, child: () => silent }

const openWaits = (maxWaits = 100) => {
  const changes = new PendingChanges(silent)
  const ending = new AbortController()
  const tracked: Uint8Array[] = []
  const forgotten: Uint8Array[] = []
  let listeners = 0
  const waits = new MessageWaits({
    changes: {
      listen: (listener) => {
        listeners++
        const leave = changes.listen(listener)
        return () => {
          listeners--
          leave()
        }
      },
    },
    track: ({ normalHash }) => tracked.push(normalHash),
    forget: (normalHash) => forgotten.push(normalHash),
    isShown: () => false,
    listTransactions: async () => [],
    signal: ending.signal,
    maxWaits,
  })
  const open = (byte: number, caller?: WaitRequest['caller']): MessageWait =>
    waits.open({ message, normalHash: hash(byte), caller })
  return {
    waits,
    open,
    emit: (change: PendingChange) => changes.emit(change),
    end: () => ending.abort(),
    tracked,
    forgotten,
    countListeners: () => listeners,
  }
}

const idle = new AbortController().signal
const options = (more: Partial<WaitOptions> = {}): WaitOptions => ({
  until: 'finished',
  timeoutMs: 10_000,
  isRefused: false,
  signal: idle,
  ...more,
})

const stored = (byte: number): PendingChange => ({
  kind: 'stored',
  trace: samplePendingTrace({ normal: byte, plain: byte, accounts: [1] }),
  isOwn: true,
})
const finished = (byte: number): PendingChange => ({
  kind: 'finished',
  normalHash: hash(byte),
  traceId: hash(byte + 1),
})
const refused = (byte: number, tries: number): PendingChange => ({
  kind: 'refused',
  normalHash: hash(byte),
  exitCode: 33,
  tries,
})

test('all who wait for a message are told, and nobody else', async () => {
  const { waits, open, emit, countListeners } = openWaits()
  assert.equal(countListeners(), 0)
  const own = [open(1), open(1)]
  const other = open(2)
  const results = own.map((wait) => wait.wait(options()))
  const early = open(1)
  const otherResult = other.wait(options({ timeoutMs: 30 }))
  emit(stored(1))
  emit(finished(1))
  for (const result of results) assert.deepEqual(await result, { kind: 'finished', traceId: hash(2) })
  // It came before anybody asked.
  assert.deepEqual(await early.wait(options()), { kind: 'finished', traceId: hash(2) })
  assert.deepEqual(await otherResult, { kind: 'timeout' })
  assert.equal(waits.size, 4)
  for (const wait of [...own, early, other]) wait.close()
  own[0]!.close()
  assert.equal(waits.size, 0)
  assert.equal(countListeners(), 0)
})

test('what ends a wait', async () => {
  const { open, emit, end } = openWaits()
  const cases: readonly [PendingChange, Partial<WaitOptions>, object][] = [
    [stored(1), { until: 'emulated' }, { kind: 'emulated' }],
    [refused(1, 1), { isRefused: true }, { kind: 'refused', exitCode: 33 }],
    [refused(1, 2), {}, { kind: 'refused', exitCode: 33 }],
    [{ kind: 'ended', normalHash: hash(1), end: { reason: 'lifetime' } }, {}, { kind: 'lost' }],
    [
      { kind: 'ended', normalHash: hash(1), end: { reason: 'replaced', exitCode: 5 } },
      {},
      { kind: 'replaced', exitCode: 5 },
    ],
  ]
  for (const [change, more, expected] of cases) {
    for (const isEarly of [true, false]) {
      const wait = open(1)
      if (isEarly) emit(change)
      const result = wait.wait(options(more))
      if (!isEarly) emit(change)
      assert.deepEqual(await result, expected)
      wait.close()
    }
  }
  // One refusal may come from a node that is behind.
  const wait = open(1)
  const result = wait.wait(options({ timeoutMs: 20 }))
  emit(refused(1, 1))
  assert.deepEqual(await result, { kind: 'timeout' })
  const last = open(1).wait(options())
  end()
  assert.deepEqual(await last, { kind: 'timeout' }, 'the service stops')
})

test('a caller who leaves waits no longer', async () => {
  const { waits, open, countListeners } = openWaits()
  const leaving = new AbortController()
  const wait = open(1)
  const result = wait.wait(options({ signal: leaving.signal }))
  leaving.abort(new Error('gone'))
  await assert.rejects(result, /gone/)
  wait.close()
  assert.deepEqual([waits.size, countListeners()], [0, 0])
})

test('waits are limited by caller and in all', () => {
  const { open } = openWaits(3)
  const caller = { name: 'a', maxWaits: 2 }
  const [first] = [open(1, caller), open(2, caller)]
  assert.throws(() => open(3, caller), { code: 'rate_limited' })
  open(3, { name: 'b', maxWaits: 2 })
  assert.throws(() => open(4), { code: 'waits_exhausted' })
  first.close()
  open(4, caller).close()
})

test('a refused message stays tracked while a caller waits for it', () => {
  const { open, emit, tracked, forgotten } = openWaits()
  const [first, second] = [open(1), open(1)]
  first.follow()
  emit(refused(1, 1))
  second.close()
  assert.deepEqual(forgotten, [])
  first.close()
  assert.deepEqual([tracked, forgotten], [[hash(1)], [hash(1)]])
})
