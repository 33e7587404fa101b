import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { createLogger } from '../../observe/Logger.ts'
import type { BlockEvents, EventLog, Journal, StreamEvent } from '../events.ts'
import { formatEventId, parseEventId } from '../log/eventIds.ts'
import { parseSubscription } from '../subscription/parseSubscription.ts'
import { Delivery, type Sink } from './Delivery.ts'
import { resolveStart } from './resolveStart.ts'
import { type HubOptions, StreamHub } from './StreamHub.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/** A log of blocks with some block events and a head each. */
class ArrayLog implements EventLog {
  readonly blocks: BlockEvents[] = []
  readonly reads: number[] = []
  readonly followers = new Set<(block: BlockEvents) => void>()
  oldest = 1
  readMs = 0

  get head(): number | undefined {
    return this.blocks.length === 0 ? undefined : this.blocks.length
  }

  findHead = async (): Promise<number | undefined> => this.head
  findOldest = async (): Promise<number> => this.oldest
  findBefore = async (utime: number): Promise<number> => this.blocks.filter((block) => block.utime <= utime).length
  read = async (mcSeqno: number): Promise<BlockEvents> => {
    this.reads.push(mcSeqno)
    if (this.readMs > 0) await delay(this.readMs)
    return this.blocks[mcSeqno - 1]!
  }

  follow(listener: (block: BlockEvents) => void): () => void {
    this.followers.add(listener)
    return () => this.followers.delete(listener)
  }

  grow(eventCount = 3): void {
    const mcSeqno = this.blocks.length + 1
    const common = { finality: 'finalized', mcSeqno, utime: 1000 + mcSeqno } as const
    const events = Array.from({ length: eventCount + 1 }, (_, k): StreamEvent => {
      const kind = k === eventCount ? 'hd' : 'bl'
      const id = formatEventId({ mcSeqno, lt: BigInt(100 * mcSeqno + k), kind, subject: '0123456789abcdef' })
      return { ...common, kind, id, shards: [] } as unknown as StreamEvent
    })
    const block = { mcSeqno, utime: common.utime, events }
    this.blocks.push(block)
    for (const follower of this.followers) follower(block)
  }

  get ids(): string[] {
    return this.blocks.flatMap(({ events }) => events.map(({ id }) => id))
  }
}

class ArrayJournal implements Journal {
  readonly name = 'abcdef01'
  readonly events: StreamEvent[] = []
  readonly followers = new Set<(event: StreamEvent) => void>()

  get last(): number {
    return this.events.length
  }

  since(n: number): readonly StreamEvent[] {
    return this.events.filter(({ id }) => (parseEventId(id) as { n: number }).n > n)
  }

  follow(listener: (event: StreamEvent) => void): () => void {
    this.followers.add(listener)
    return () => this.followers.delete(listener)
  }

  demands = 0

  demand(): () => void {
    this.demands++
    return () => {
      this.demands--
    }
  }

  add(mcSeqno: number, event: object): string {
    const id = formatEventId({ mcSeqno, journal: this.name, n: this.events.length + 1 })
    const whole = { finality: 'pending', utime: 0, mcSeqno, ...event, id } as unknown as StreamEvent
    this.events.push(whole)
    for (const follower of this.followers) follower(whole)
    return id
  }

  addTrace(mcSeqno: number, hash: number, kind = 'tr'): string {
    return this.add(mcSeqno, { kind, trace: traceOf(hash) })
  }

  invalidate(mcSeqno: number, hash: number): void {
    const gone = { externalHashNorm: hashOf(hash), reason: 'lifetime' }
    this.add(mcSeqno, { kind: 'expired', ...gone })
    this.add(mcSeqno, { kind: 'invalidated', ...gone })
  }
}

const hashOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

const traceOf = (hash: number) => ({
  externalHash: hashOf(hash),
  externalHashNorm: hashOf(hash),
  traceId: undefined,
  transactions: [],
  actions: [],
  isIncomplete: false,
})

/** Takes everything, until it is told to be full. */
class ArraySink implements Sink {
  readonly ids: string[] = []
  readonly texts: string[] = []
  isCompleted = false
  closed: number | undefined
  room = Number.POSITIVE_INFINITY
  bytesWaiting = 0
  bytesTaken = 0

  send(text: string, id: string): boolean {
    this.ids.push(id)
    this.texts.push(text)
    this.room--
    this.bytesWaiting = this.room > 0 ? 0 : 100
    return this.room > 0
  }

  complete(): void {
    this.isCompleted = true
  }

  close(code: number): void {
    this.closed = code
  }
}

const parse = (fields: object) =>
  parseSubscription(
    { types: ['blocks'], extended: true, ...fields },
    { transport: 'sse', mayStreamAll: true, expandActionTypes: (words) => words },
  ).subscription

const speculative = (hashes: readonly number[], fields: object = {}) =>
  parse({
    types: ['blocks', 'trace'],
    trace_external_hash_norms: hashes.map((hash) => Buffer.from(hashOf(hash)).toString('base64')),
    min_finality: 'pending',
    ...fields,
  })

const setUp = (options: Partial<HubOptions> = {}) => {
  const log = new ArrayLog()
  const journal = new ArrayJournal()
  for (let k = 0; k < 5; k++) log.grow()
  const hub = new StreamHub({ log, journal, logger, ...options })
  const open = async (subscription: ReturnType<typeof parse>, render = async (id: string) => id) => {
    const start = await resolveStart(hub, subscription)
    const sink = new ArraySink()
    const delivery = new Delivery(hub, sink, ({ event }) => render(event.id))
    delivery.subscribe(subscription, start)
    return { sink, delivery }
  }
  return { log, journal, hub, open }
}

const settle = async (): Promise<void> => {
  for (let k = 0; k < 20; k++) await new Promise((done) => setImmediate(done))
}

describe('the stream of a connection', () => {
  it('begins at the head, and gets each new block in order although rendering takes its time', async () => {
    const { log, open } = setUp()
    const { sink } = await open(parse({}), async (id) => {
      await delay(Math.random() * 5)
      return id
    })
    await settle()
    const before = log.ids.length
    for (let k = 0; k < 4; k++) log.grow(30)
    await waitUntil('all are sent', () => sink.ids.length === log.ids.length - before)
    assert.deepEqual(sink.ids, log.ids.slice(before))
    assert.deepEqual(log.reads, [], 'at the head nothing is read')
  })

  it('begins with the first block of an empty index', async () => {
    const { log, hub, open } = setUp()
    const past = log.blocks.splice(0)
    const { sink } = await open(parse({}))
    await settle()
    assert.match(hub.headId, /^s-0-/)
    // The index begins with the newest block.
    const block = past.at(-1)!
    log.blocks.push(block)
    for (const follower of log.followers) follower(block)
    await settle()
    assert.deepEqual(
      sink.ids,
      block.events.map(({ id }) => id),
    )
    assert.equal(sink.closed, undefined)
  })

  it('resumes after any event without seam, double or loss, while blocks come', async () => {
    const { log, open, hub } = setUp()
    for (const [k, since] of log.ids.entries()) {
      const { sink, delivery } = await open(parse({ since }))
      log.grow()
      await settle()
      log.grow()
      const expected = log.ids.slice(k + 1)
      await waitUntil('all are sent', () => sink.ids.length >= expected.length)
      await settle()
      assert.deepEqual(sink.ids, expected)
      assert.equal(delivery.blocksBehind, 0)
      delivery.close()
    }
    assert.equal(hub.deliveries.size, 0)
  })

  it('waits while the socket is full, costs nothing meanwhile, and goes on where it was', async () => {
    const { log, open } = setUp()
    const { sink, delivery } = await open(parse({}))
    const other = await open(parse({}))
    await settle()
    const before = log.ids.length
    sink.room = 2
    for (let k = 0; k < 50; k++) log.grow()
    await settle()
    await waitUntil('others go on', () => other.sink.ids.length === 200)
    assert.equal(sink.ids.length, 2)
    assert.ok(delivery.blocksBehind >= 49)
    while (sink.ids.length < 200) {
      sink.room = 3
      delivery.drained()
      await settle()
    }
    assert.deepEqual(sink.ids, log.ids.slice(before))
    assert.equal(delivery.blocksBehind, 0)
  })

  it('closes a connection that takes no bytes', async () => {
    const { log, open, hub } = setUp({ settings: { stallMs: 1500 } })
    const { sink } = await open(parse({}))
    const other = await open(parse({}))
    await settle()
    sink.room = 1
    log.grow()
    await waitUntil('it is closed', () => sink.closed !== undefined)
    assert.equal(sink.closed, 4008)
    assert.equal(other.sink.closed, undefined)
    assert.deepEqual([hub.deliveries.size, hub.stats.stalled], [1, 1])
  })

  it('ends at `until`, in a block, at its end, at a time or at the present head', async () => {
    const { log, open } = setUp()
    const all = log.ids
    const cases: [until: unknown, count: number][] = [
      ['head', 20],
      [all[9], 10],
      [{ mc_seqno: 2 }, 8],
      [{ utime: 1003 }, 12],
    ]
    for (const [until, count] of cases) {
      const { sink } = await open(parse({ since: { mc_seqno: 0 }, until }))
      await waitUntil('it is complete', () => {
        if (!sink.isCompleted) log.grow()
        return sink.isCompleted
      })
      assert.deepEqual(sink.ids, log.ids.slice(0, count), JSON.stringify(until))
    }
  })

  it('replays at a limited rate', async () => {
    const { log, open } = setUp({ settings: { replayRate: 100 } })
    for (let k = 0; k < 20; k++) log.grow()
    const begun = performance.now()
    const { sink } = await open(parse({ since: { mc_seqno: 0 } }))
    await waitUntil('60 are sent', () => sink.ids.length >= 60)
    assert.ok(performance.now() - begun > 500)
  })

  it('refuses what is not kept, or marks it', async () => {
    const { log, open } = setUp()
    log.oldest = 3
    await assert.rejects(open(parse({ since: log.ids[0] })), /since is older than what is kept: masterchain block 3/)
    await assert.rejects(open(parse({ since: { mc_seqno: 1000 } })), /since is ahead of the chain/)
    await open(parse({ since: { mc_seqno: 2 } }))
    const { sink } = await open(parse({ since: log.ids[0], on_gap: 'mark' }))
    await waitUntil('all are sent', () => sink.ids.length === 13)
    const { type, lost, reason, from, to } = JSON.parse(sink.texts[0]!)
    assert.deepEqual(
      { type, lost, reason, from, to },
      { type: 'gap', lost: 'all', reason: 'not_kept', from: log.ids[0], to: log.ids[8] },
    )
    assert.deepEqual(sink.ids.slice(1), log.ids.slice(8))
  })

  it('goes on where it was when its subscription changes', async () => {
    const { log, open } = setUp()
    const { sink, delivery } = await open(parse({}))
    await settle()
    const before = log.ids.length
    sink.room = 2
    log.grow()
    log.grow()
    await settle()
    delivery.subscribe(parse({ types: ['blocks'], include_metadata: true }), undefined)
    sink.room = Number.POSITIVE_INFINITY
    delivery.drained()
    await waitUntil('all are sent', () => sink.ids.length === 8)
    assert.deepEqual(sink.ids, log.ids.slice(before))
  })
})

describe('speculative events of a connection', () => {
  it('come between blocks, with an id after which a client resumes without double or loss', async () => {
    const { log, journal, open } = setUp()
    const { sink } = await open(speculative([1, 2]))
    await settle()
    const before = log.ids.length
    const first = journal.addTrace(5, 1)
    await settle()
    log.grow()
    await settle()
    // The journal may know of a block later than the log, or earlier.
    journal.addTrace(5, 2)
    journal.addTrace(9, 2)
    await waitUntil('all are sent', () => sink.ids.length === 7)
    const [a, b] = ['s-6-abcdef01-2', 's-6-abcdef01-3']
    assert.deepEqual(sink.ids, [first, ...log.ids.slice(before), a, b])
    const resumed = await open(speculative([1, 2], { since: first }))
    await waitUntil('all are sent again', () => resumed.sink.ids.length === 6)
    assert.deepEqual(resumed.sink.ids, ['s-5-abcdef01-2', ...log.ids.slice(before), b])
  })

  it('are dropped when they wait too long: replaced ones first, then all, with one gap', async () => {
    const { log, journal, open, hub } = setUp({ settings: { queue: { maxEvents: 10, maxBytes: 1 << 20 } } })
    const { sink, delivery } = await open(speculative([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))
    await settle()
    sink.room = 1
    log.grow(0)
    await settle()
    for (let k = 0; k < 12; k++) journal.addTrace(6, 1)
    assert.equal(hub.stats.dropped, 10)
    for (let k = 2; k <= 12; k++) journal.addTrace(6, k)
    sink.room = Number.POSITIVE_INFINITY
    delivery.drained()
    await settle()
    const gap = JSON.parse(sink.texts[1]!)
    assert.deepEqual([gap.type, gap.lost, gap.reason], ['gap', 'speculative', 'slow_consumer'])
    assert.equal(hub.stats.gaps, 1)
    assert.deepEqual([sink.ids.length, sink.ids[2]], [3, 's-6-abcdef01-23'])
  })

  it('are not sent once a finalized event replaced them', async () => {
    const { log, journal, open } = setUp()
    const { sink, delivery } = await open(speculative([1]))
    await settle()
    sink.room = 1
    log.grow(0)
    await settle()
    journal.addTrace(6, 1)
    const id = formatEventId({ mcSeqno: 7, lt: 1n, kind: 'tr', subject: '0101010101010101' })
    const final = { kind: 'tr', id, mcSeqno: 7, utime: 1, finality: 'finalized', trace: traceOf(1) } as StreamEvent
    const block = { mcSeqno: 7, utime: 1007, events: [final] }
    log.blocks.push(block)
    for (const follower of log.followers) follower(block)
    sink.room = Number.POSITIVE_INFINITY
    delivery.drained()
    await settle()
    assert.deepEqual(sink.ids.slice(1), [id])
    journal.invalidate(7, 1)
    await settle()
    assert.equal(sink.ids.length, 2, 'a final trace is not invalidated')
  })

  it('are invalidated once, for those who got something of the trace', async () => {
    const { journal, open } = setUp()
    const [told, late] = [await open(speculative([1])), await open(speculative([2]))]
    await settle()
    const id = journal.addTrace(5, 1)
    await settle()
    journal.invalidate(5, 1)
    journal.invalidate(5, 1)
    await settle()
    assert.deepEqual(told.sink.ids, [id, 's-5-abcdef01-2', 's-5-abcdef01-3'])
    assert.deepEqual(late.sink.ids, [])
    const resumed = await open(speculative([1], { since: id }))
    await settle()
    assert.deepEqual(resumed.sink.ids.slice(0, 2), ['s-5-abcdef01-2', 's-5-abcdef01-3'])
  })

  it('states are invalidated for those who got them, and not sent after a final one', async () => {
    const { log, journal, open } = setUp()
    const account = new Uint8Array(33).fill(3)
    const address = `0:${'03'.repeat(32)}`
    const state = { hash: hashOf(1), known: undefined }
    account[0] = 0
    const add = (lt: bigint): string =>
      journal.add(5, { kind: 'st', finality: 'confirmed', account, state, previous: state, lt })
    const invalidate = (lt: bigint): string =>
      journal.add(5, { kind: 'stateInvalidated', account, hash: hashOf(1), lt })
    const wanted = { types: ['account_state_change'], addresses: [address], min_finality: 'confirmed' }
    const told = await open(parse(wanted))
    const final = await open(parse({ ...wanted, min_finality: 'finalized' }))
    assert.equal(journal.demands, 1)
    await settle()
    const id = add(7n)
    await settle()
    const late = await open(parse(wanted))
    await settle()
    const gone = [invalidate(7n), invalidate(7n)]
    await settle()
    assert.deepEqual(told.sink.ids, [id, gone[0]], 'once')
    assert.deepEqual([...late.sink.ids, ...final.sink.ids], [])
    const resumed = await open(parse({ ...wanted, since: id }))
    await settle()
    assert.equal(resumed.sink.ids[0], gone[0])
    // A state of the index is newer than what comes late.
    const finalId = formatEventId({ mcSeqno: 6, lt: 9n, kind: 'st', subject: '0303030303030303' })
    const event = {
      kind: 'st',
      id: finalId,
      mcSeqno: 6,
      utime: 1,
      finality: 'finalized',
      account,
      state,
      previous: state,
      lt: 9n,
    }
    const block = { mcSeqno: 6, utime: 1006, events: [event as unknown as StreamEvent] }
    log.blocks.push(block)
    for (const follower of log.followers) follower(block)
    await settle()
    add(9n)
    await settle()
    assert.equal(told.sink.ids.at(-1), finalId)
    for (const { delivery } of [told, late, resumed]) delivery.close()
    assert.equal(journal.demands, 0)
  })

  it('are marked as lost when the journal is gone', async () => {
    const { log, open } = setUp()
    const { sink } = await open(speculative([1], { since: 's-3-00000abc-7' }))
    await waitUntil('all are sent', () => sink.ids.length === 9)
    const { type, lost, reason, from } = JSON.parse(sink.texts[0]!)
    assert.deepEqual([type, lost, reason, from], ['gap', 'speculative', 'journal_gone', 's-3-00000abc-7'])
    assert.deepEqual(sink.ids.slice(1), log.ids.slice(12))
  })
})
