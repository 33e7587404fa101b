import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause } from '../../primitives/scheduling.ts'
import { isInvalidation, toldKeysOf } from '../eventKeys.ts'
import {
  type BlockEvents,
  type InvalidationEvent,
  NotKeptError,
  type StateInvalidationEvent,
  type StreamEvent,
} from '../events.ts'
import {
  comparePositions,
  endOfBlock,
  formatEventId,
  indexAfter,
  type Position,
  parseEventId,
  positionOf,
} from '../log/eventIds.ts'
import { type EventPart, matchEvent } from '../subscription/matchEvent.ts'
import type { Subscription } from '../subscription/Subscription.ts'
import { ReplayPace } from './ReplayPace.ts'
import type { Gap, Start } from './resolveStart.ts'
import { SpeculativeQueue, type Waiting } from './SpeculativeQueue.ts'
import { NO_JOURNAL, type Offer, type StreamHub, type Subscriber } from './StreamHub.ts'
import { ToldKeys } from './ToldKeys.ts'

/** The connection under a delivery, whatever its transport. */
export interface Sink {
  /** Sends an event; false if the socket must drain first. Then `Delivery.drained` is called. */
  send(text: string, id: string): boolean
  /** Bytes that the peer has not taken yet. */
  readonly bytesWaiting: number
  /** Grows as the peer takes bytes. */
  readonly bytesTaken: number
  /** The stream has reached its end. */
  complete(): void
  close(code: number, reason: string): void
}

/** The JSON of an event as its receiver gets it. */
export type RenderEvent = (part: EventPart, subscription: Subscription) => string | Promise<string>

/** A block that is being sent: all its events, or those of an offer. */
type Work = {
  readonly block: BlockEvents
  readonly indexes: readonly number[] | undefined
  readonly receivedAt: number | undefined
  /** Index into `indexes`, or into the events. */
  at: number
}

const CLOSE_SLOW = 4008
const CLOSE_FAILED = 1011

/** Events rendered ahead of the one that is written. */
const AHEAD = 16
/** Events looked at in one go. */
const SCAN = 512
/** Blocks with events for a connection that it may have waiting before it reads them from the log. */
const MAX_OFFERS = 8
/** Ids by which a connection is found that resumes. */
const MAX_SENT = 32
const MAX_BYTES_WAITING = 8 << 20
const RETRY_MS = 500

/**
 * The stream of one connection: a position in the log, which moves on as its socket drains. At the head, the hub offers it the events of
 * new blocks; behind it, it reads block by block. Only speculative events are queued.
 */
export class Delivery implements Subscriber {
  readonly #hub: StreamHub
  readonly #sink: Sink
  readonly #render: RenderEvent
  readonly #closing = new AbortController()
  #isClosed = false
  readonly #queue: SpeculativeQueue
  readonly #told = new ToldKeys()
  #subscription: Subscription | undefined
  /** Changes with the subscription: what was rendered for an older one is not sent. */
  #version = 0
  /** Everything up to it was sent. Not kept up to date at the head: see {@link position}. */
  #position: Position = endOfBlock(-1)
  #until: Position | undefined
  #untilUtime: number | undefined
  #gap: Gap | undefined
  #isLive = false
  #work: Work | undefined
  #offers: Offer[] = []
  #isRunning = false
  #isWoken = false
  #isFull = false
  readonly #pace: ReplayPace
  #taken = 0
  /** Since the socket took bytes, while some wait. */
  #stalledMs = 0
  /** Ids of the last events, the newest last. */
  readonly #sent: string[] = []

  constructor(hub: StreamHub, sink: Sink, render: RenderEvent) {
    this.#hub = hub
    this.#sink = sink
    this.#render = render
    this.#queue = new SpeculativeQueue(hub.settings.queue)
    this.#pace = new ReplayPace(hub.settings.replayRate)
    hub.add(this)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Blocks between this connection and the head. */
  get blocksBehind(): number {
    return this.#subscription === undefined ? 0 : Math.max(0, this.#hub.latest - this.position.mcSeqno)
  }

  /** Everything up to here was sent. */
  get position(): Position {
    if (!this.#isLive || this.#work !== undefined) return this.#position
    const [next] = this.#offers
    return endOfBlock(next === undefined ? this.#hub.latest : next.block.mcSeqno - 1)
  }

  /** Where a client goes on that got nothing for a while; `undefined` while something is on its way to it. */
  get restingId(): string | undefined {
    const isResting = this.#isLive && !this.#isRunning && !this.#isFull && !this.#hasWork()
    return isResting ? this.#hub.headId : undefined
  }

  /** Whether the socket is full. */
  get isStalled(): boolean {
    return this.#isFull
  }

  /** Whether an event was among the last that were sent. */
  hasSent(id: string): boolean {
    return this.#sent.includes(id)
  }

  get subscription(): Subscription | undefined {
    return this.#subscription
  }

  /** Begins a stream, or replaces it. Call it after the answer is written: events follow at once. */
  subscribe(subscription: Subscription, start: Start | undefined): void {
    // A changed subscription goes on where the former one was.
    this.#position = this.#subscription === undefined ? endOfBlock(this.#hub.latest) : this.position
    this.#version++
    this.#subscription = subscription
    this.#isLive = false
    this.#work = undefined
    this.#offers = []
    if (start !== undefined) this.#begin(start)
    if (subscription.minFinality === 'finalized') this.#queue.clear()
    this.#hub.subscribe(this, subscription, this.#until !== undefined || this.#untilUtime !== undefined)
    this.#hub.wake(this)
  }

  unsubscribe(): void {
    this.#position = this.position
    this.#isLive = false
    this.#subscription = undefined
    this.#work = undefined
    this.#offers = []
    this.#queue.clear()
    this.#version++
    this.#hub.subscribe(this, undefined, false)
  }

  /** A new block has events that may be for this connection. */
  offer(offer: Offer): void {
    // Behind the head it reads every block itself.
    if (!this.#isLive || this.#subscription === undefined) return
    if (this.#offers.length === MAX_OFFERS) {
      this.fallBehind()
      return
    }
    this.#offers.push(offer)
    this.#wake()
  }

  offerSpeculative(event: StreamEvent): void {
    const subscription = this.#subscription
    const part = subscription && matchEvent(subscription, event)
    if (part === undefined) return
    this.#hub.stats.dropped += this.#queue.push(part)
    this.#wake()
  }

  /** A trace or a state did not become final. Only who got something of it is told. */
  offerInvalidation(event: InvalidationEvent | StateInvalidationEvent): void {
    const [key] = toldKeysOf(event)
    if (key === undefined) return
    this.#queue.dropInvalid(key)
    if (!this.#told.has(key)) return
    // The event before it says why.
    if (event.kind !== 'expired') this.#told.delete(key)
    this.offerSpeculative(event)
  }

  /** Reads the next blocks itself: not all of them were offered. */
  fallBehind(): void {
    if (!this.#isLive) return
    this.#position = this.position
    this.#isLive = false
    this.#offers = []
    this.#wake()
  }

  /** The chain was set back to a block: the stream goes on after it. */
  jumpTo(mcSeqno: number): void {
    if (this.#subscription === undefined || this.position.mcSeqno < mcSeqno) return
    this.#version++
    this.#work = undefined
    this.#offers = []
    this.#queue.clear()
    this.#told.clear()
    this.#position = endOfBlock(mcSeqno)
    this.#isLive = false
  }

  /** The socket takes bytes again. */
  drained(): void {
    this.#isFull = false
    this.run()
  }

  watch(elapsedMs: number): void {
    const { bytesWaiting } = this.#sink
    if (bytesWaiting === 0) {
      this.#stalledMs = 0
      return
    }
    const { bytesTaken } = this.#sink
    if (bytesTaken !== this.#taken) {
      this.#taken = bytesTaken
      this.#stalledMs = 0
      return
    }
    this.#stalledMs += elapsedMs
    if (bytesWaiting <= MAX_BYTES_WAITING && this.#stalledMs < this.#hub.settings.stallMs) return
    this.#hub.stats.stalled++
    this.#sink.close(CLOSE_SLOW, 'too slow: no bytes were taken')
    this.close()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closing.abort()
    this.#hub.remove(this)
    this.#subscription = undefined
    this.#queue.clear()
    this.#offers = []
    this.#work = undefined
  }

  /** Sends what there is until the socket is full. */
  run(): void {
    this.#isWoken = false
    if (this.#isRunning || this.#isFull || this.isClosed || this.#subscription === undefined) return
    this.#isRunning = true
    this.#sendAll()
      .catch((error: unknown) => {
        if (this.isClosed) return
        this.#hub.noteFailure(error)
        this.#sink.close(CLOSE_FAILED, 'internal error')
        this.close()
      })
      .finally(() => {
        this.#isRunning = false
        // What came while the last step ended.
        if (this.#hasWork() && !this.#isFull && !this.isClosed) this.#wake()
      })
  }

  #wake(): void {
    if (this.#isWoken || this.#isRunning || this.#isFull) return
    this.#isWoken = true
    this.#hub.wake(this)
  }

  #hasWork(): boolean {
    if (this.#subscription === undefined) return false
    if (this.#work !== undefined || this.#offers.length > 0 || this.#mustTellGap()) return true
    return this.#isLive ? this.#queue.size > 0 : this.#nextSeqno() <= this.#hub.latest
  }

  #begin({ position, gap, told, speculative, until, untilUtime }: Start): void {
    this.#position = position
    this.#until = until
    this.#untilUtime = untilUtime
    this.#gap = gap
    this.#queue.clear()
    this.#told.clear()
    for (const hash of told) this.#told.add(hash)
    for (const part of speculative) this.#queue.push(part)
  }

  async #sendAll(): Promise<void> {
    while (!this.#isFull && !this.isClosed && this.#subscription !== undefined) {
      if (this.#work !== undefined) await this.#sendWork(this.#work, this.#subscription)
      else if (this.#mustTellGap()) this.#sendGap(this.#subscription)
      else if (this.#mustSpeculate()) await this.#sendSpeculative(this.#subscription)
      else if (!(await this.#findWork())) return
    }
  }

  #mustTellGap(): boolean {
    return (this.#gap !== undefined || this.#queue.lost !== undefined) && isEndOfBlock(this.#position)
  }

  /** Speculative events are sent between blocks, after those of the block they came after. */
  #mustSpeculate(): boolean {
    const { first } = this.#queue
    if (first === undefined) return false
    if (!this.#isLive) return first.part.event.mcSeqno <= this.#position.mcSeqno && isEndOfBlock(this.#position)
    const [next] = this.#offers
    return next === undefined || next.block.mcSeqno > first.part.event.mcSeqno
  }

  /** Whether there is a block to send, or more to look for. */
  async #findWork(): Promise<boolean> {
    if (this.#isLive) {
      const offer = this.#offers.shift()
      if (offer === undefined) return false
      this.#position = endOfBlock(offer.block.mcSeqno - 1)
      this.#work = { ...offer, at: 0 }
      return true
    }
    if (this.#isOver()) return this.#complete()
    const mcSeqno = this.#nextSeqno()
    if (mcSeqno > this.#hub.latest) {
      if (this.#until !== undefined || this.#untilUtime !== undefined) return false
      this.#isLive = true
      return this.#queue.size > 0
    }
    const version = this.#version
    const block = await this.#readBlock(mcSeqno)
    if (version !== this.#version || block === undefined) return true
    if (this.#untilUtime !== undefined && block.utime > this.#untilUtime) return this.#complete()
    this.#work = { block, indexes: undefined, receivedAt: undefined, at: indexAfter(block.events, this.#position) }
    return true
  }

  async #readBlock(mcSeqno: number): Promise<BlockEvents | undefined> {
    const version = this.#version
    try {
      return await this.#hub.read(mcSeqno)
    } catch (error) {
      if (this.isClosed || version !== this.#version) return undefined
      if (error instanceof NotKeptError) this.#skipTo(error.oldest)
      else {
        this.#hub.noteReadFailure(error, mcSeqno)
        await pause(RETRY_MS, this.#closing.signal).catch(() => undefined)
      }
      return undefined
    }
  }

  /** The index dropped blocks before this connection had them. */
  #skipTo(oldest: number): void {
    if (this.#subscription?.onGap !== 'mark') {
      this.#sink.close(CLOSE_SLOW, `since is older than what is kept: masterchain block ${oldest}`)
      this.close()
      return
    }
    const to = formatEventId({ mcSeqno: oldest - 1, journal: NO_JOURNAL, n: 0 })
    this.#gap = { lost: 'all', reason: 'not_kept', from: this.#sent.at(-1) ?? to, to }
    this.#position = endOfBlock(oldest - 1)
  }

  #nextSeqno(): number {
    return isEndOfBlock(this.#position) ? this.#position.mcSeqno + 1 : this.#position.mcSeqno
  }

  #isOver(): boolean {
    return this.#until !== undefined && comparePositions(this.#position, this.#until) >= 0
  }

  #complete(): false {
    this.unsubscribe()
    this.#sink.complete()
    return false
  }

  async #sendWork(work: Work, subscription: Subscription): Promise<void> {
    const version = this.#version
    const batch = this.#collect(work, subscription)
    const texts = batch.map(({ part }) => this.#render(part, subscription))
    for (const text of texts) if (typeof text !== 'string') text.catch(() => undefined)
    for (const [k, { part, next }] of batch.entries()) {
      const rendered = texts[k]!
      // Most texts are there: another connection got them before.
      const text = typeof rendered === 'string' ? rendered : await rendered
      if (version !== this.#version || this.isClosed) return
      this.#told.finalize(part.event)
      this.#write(text, part.event.id)
      work.at = next
      this.#position = positionOf(part.event)
      if (work.receivedAt !== undefined) this.#hub.onSent?.(performance.now() - work.receivedAt)
      else await this.#pace.wait(this.#closing.signal)
      if (version !== this.#version || this.isClosed || this.#isFull) return
    }
    if (batch.length > 0) return
    // Nothing matched in what was looked at.
    if (work.at < lengthOf(work)) await nextTurn()
    if (version !== this.#version || work.at < lengthOf(work)) return
    this.#work = undefined
    this.#position = endOfBlock(work.block.mcSeqno)
  }

  /** The next events of a block for this connection; moves on past those that are not. */
  #collect(work: Work, subscription: Subscription): { readonly part: EventPart; readonly next: number }[] {
    const { block, indexes } = work
    const batch: { part: EventPart; next: number }[] = []
    const end = Math.min(lengthOf(work), work.at + SCAN)
    for (let at = work.at; at < end && batch.length < AHEAD; at++) {
      const event = block.events[indexes === undefined ? at : indexes[at]!]!
      if (this.#until !== undefined && comparePositions(positionOf(event), this.#until) > 0) {
        if (batch.length === 0) work.at = lengthOf(work)
        return batch
      }
      const part = matchEvent(subscription, event)
      if (part !== undefined) batch.push({ part, next: at + 1 })
      else if (batch.length === 0) work.at = at + 1
    }
    return batch
  }

  async #sendSpeculative(subscription: Subscription): Promise<void> {
    const version = this.#version
    const { mcSeqno } = this.position
    const batch = this.#queue.peek(AHEAD).map((item) => ({ item, part: this.#stamped(item, mcSeqno) }))
    const texts = batch.map(({ part }) => part && this.#render(part, subscription))
    for (const text of texts) if (typeof text === 'object') text.catch(() => undefined)
    for (const [k, { item, part }] of batch.entries()) {
      const text = await texts[k]
      if (version !== this.#version || this.isClosed || this.#queue.first !== item) return
      // A block that came meanwhile may have events that belong before it, or replace it.
      if (!this.#mustSpeculate()) return
      this.#queue.shift()
      if (part === undefined || text === undefined || this.#hub.isReplaced(part.event)) continue
      if (!isInvalidation(part.event)) this.#told.addAll(part.event)
      this.#write(text, part.event.id)
      if (this.#isFull) return
    }
  }

  #stamped({ part }: Waiting, mcSeqno: number): EventPart | undefined {
    if (this.#hub.isReplaced(part.event)) return undefined
    const event = this.#hub.stamp(part.event, mcSeqno)
    return event === part.event ? part : ({ ...part, event } as EventPart)
  }

  #sendGap({ extended }: Subscription): void {
    const { lost } = this.#queue
    const gap = this.#gap ?? { lost: 'speculative', reason: 'slow_consumer', from: lost!.from, to: lost!.to }
    if (this.#gap === undefined) this.#queue.lost = undefined
    this.#gap = undefined
    this.#hub.stats.gaps++
    if (!extended) return
    const id = stampGap(gap.to, this.position.mcSeqno)
    const emitted = { event_id: id, emitted_at: Date.now(), mc_seqno: this.#hub.latest }
    this.#write(JSON.stringify({ type: 'gap', ...gap, ...emitted }), id)
  }

  #write(text: string, id: string): void {
    const { stats } = this.#hub
    stats.events++
    stats.characters += text.length
    if (this.#sent.push(id) > MAX_SENT) this.#sent.shift()
    this.#isFull = !this.#sink.send(text, id)
  }
}

const lengthOf = ({ block, indexes }: Work): number => indexes?.length ?? block.events.length

const isEndOfBlock = (position: Position): boolean => !('kind' in position) || position.kind === 'hd'

/** The id of a gap after all finalized events up to a block: who resumes after it gets what follows. */
const stampGap = (to: string, mcSeqno: number): string => {
  const id = parseEventId(to)
  const [journal, n] = 'journal' in id ? [id.journal, id.n] : [NO_JOURNAL, 0]
  return formatEventId({ mcSeqno, journal, n })
}
