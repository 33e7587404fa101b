import type { Logger } from '../../observe/Logger.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import { isInvalidation, keyOf } from '../eventKeys.ts'
import type {
  BlockEvents,
  EventLog,
  InvalidationEvent,
  Journal,
  StateInvalidationEvent,
  StreamEvent,
} from '../events.ts'
import { formatEventId, parseEventId } from '../log/eventIds.ts'
import { SubscriberIndex } from '../subscription/SubscriberIndex.ts'
import type { Subscription } from '../subscription/Subscription.ts'
import type { QueueBounds } from './SpeculativeQueue.ts'

export type DeliverySettings = {
  /** Speculative events that may wait for one connection. */
  readonly queue: QueueBounds
  /** Events per second of a connection that catches up. */
  readonly replayRate: number
  /** A connection that takes no bytes for this long is closed. */
  readonly stallMs: number
}

const defaultDelivery: DeliverySettings = {
  queue: { maxEvents: 1024, maxBytes: 8 << 20 },
  replayRate: 2000,
  stallMs: 60_000,
}

/** Events of a block that may be for a connection. */
export type Offer = {
  readonly block: BlockEvents
  /** Sorted. */
  readonly indexes: readonly number[]
  readonly receivedAt: number
}

/** A connection, as the hub sees it. */
export interface Subscriber {
  /** Blocks between it and the head. */
  readonly blocksBehind: number
  /** A new block has events that may be for it. */
  offer(offer: Offer): void
  offerSpeculative(event: StreamEvent): void
  offerInvalidation(event: InvalidationEvent | StateInvalidationEvent): void
  /** Not all of the next blocks are offered: it reads them itself. */
  fallBehind(): void
  /** The chain was set back to a block. */
  jumpTo(mcSeqno: number): void
  run(): void
  /** Called about every second, with the time since the last call. */
  watch(elapsedMs: number): void
  close(): void
}

export type HubOptions = {
  readonly log: EventLog
  /** Without it there are no speculative events. */
  readonly journal?: Journal | undefined
  readonly logger: Logger
  readonly settings?: Partial<DeliverySettings>
  /** How long the log is followed after the last subscriber left. */
  readonly lingerMs?: number
}

/** What happened since the start. */
export type HubStats = {
  events: number
  characters: number
  /** Speculative events that slow connections did not get. */
  dropped: number
  gaps: number
  /** Connections closed because they took no bytes. */
  stalled: number
  resumed: number
}

/** Stands in ids where there are no speculative events that could be lost. */
export const NO_JOURNAL = '00000000'

const LINGER_MS = 30_000
const TICK_MS = 1000
/** Work for connections in one turn of the event loop. */
const SLICE_MS = 4
const MAX_FINAL = 50_000

/**
 * Follows the log and the journal of a process, and wakes the connections that an event is for. A connection reads at its own pace:
 * nobody waits for another.
 */
export class StreamHub {
  readonly log: EventLog
  readonly journal: Journal | undefined
  readonly settings: DeliverySettings
  readonly stats: HubStats = { events: 0, characters: 0, dropped: 0, gaps: 0, stalled: 0, resumed: 0 }
  /** Called with the time from the arrival of a block to the write of one of its events. */
  onSent: ((lagMs: number) => void) | undefined
  readonly #logger: Logger
  readonly #lingerMs: number
  readonly #index = new SubscriberIndex<Subscriber>()
  readonly #deliveries = new Set<Subscriber>()
  /** Those that look at every block. */
  readonly #scanning = new Set<Subscriber>()
  /** Traces of which a finalized event was seen, by kind. */
  readonly #final = new LruCache<true>(MAX_FINAL)
  /** Logical times of the last final states, by account. */
  readonly #finalStates = new LruCache<bigint>(MAX_FINAL)
  readonly #restamped = new WeakMap<StreamEvent, StreamEvent>()
  readonly #closing = new AbortController()
  #ready: Subscriber[] = []
  #isScheduled = false
  #latest = -1
  #unfollow: (() => void) | undefined
  #leaveDemand: (() => void) | undefined
  #started: Promise<void> | undefined
  #leaving: NodeJS.Timeout | undefined

  constructor({ log, journal, logger, settings = {}, lingerMs = LINGER_MS }: HubOptions) {
    this.log = log
    this.journal = journal
    this.settings = { ...defaultDelivery, ...settings }
    this.#logger = logger
    this.#lingerMs = lingerMs
  }

  /** The newest block whose events were handed to connections. */
  get latest(): number {
    return this.#latest
  }

  /** Names the head: a client that resumes from it gets what comes after now. */
  get headId(): string {
    const { name = NO_JOURNAL, last = 0 } = this.journal ?? {}
    return formatEventId({ mcSeqno: Math.max(0, this.#latest), journal: name, n: last })
  }

  get deliveries(): ReadonlySet<Subscriber> {
    return this.#deliveries
  }

  /** Begins to follow the log, if it is not followed yet. Resolves when the head is known. */
  start(): Promise<void> {
    clearTimeout(this.#leaving)
    if (this.#started === undefined) {
      this.#started = this.#follow()
      this.#started.catch(() => this.#stop())
    }
    return this.#started
  }

  add(delivery: Subscriber): void {
    clearTimeout(this.#leaving)
    this.#deliveries.add(delivery)
  }

  remove(delivery: Subscriber): void {
    this.#index.set(delivery, undefined)
    this.#scanning.delete(delivery)
    this.#deliveries.delete(delivery)
    this.#updateDemand()
    this.#leaveIfUnused()
  }

  /** Sets what a connection gets. One that scans looks at every block itself. */
  subscribe(delivery: Subscriber, subscription: Subscription | undefined, isScanning: boolean): void {
    this.#index.set(delivery, subscription)
    if (isScanning && subscription !== undefined) this.#scanning.add(delivery)
    else this.#scanning.delete(delivery)
    this.#updateDemand()
  }

  /** Lets a connection go on soon, without holding up others for long. */
  wake(delivery: Subscriber): void {
    this.#ready.push(delivery)
    this.#schedule()
  }

  /** The events of a block. */
  read(mcSeqno: number): Promise<BlockEvents> {
    return this.log.read(mcSeqno, this.#closing.signal)
  }

  /** Whether a finalized event replaces this speculative one. */
  isReplaced(event: StreamEvent): boolean {
    const key = keyOf(event)
    if (key !== undefined) return this.#final.find(key) === true
    const last = lastOf(event)
    return last !== undefined && (this.#finalStates.find(keyText(last.account)) ?? -1n) >= last.lt
  }

  /**
   * The event as it is sent after all finalized events up to a block. Its id then says so: who resumes after it gets what follows that
   * block.
   */
  stamp(event: StreamEvent, position: number): StreamEvent {
    // Before the first indexed block there is no number.
    const mcSeqno = Math.max(0, position)
    if (event.mcSeqno === mcSeqno) return event
    const known = this.#restamped.get(event)
    if (known?.mcSeqno === mcSeqno) return known
    const stamped = { ...event, mcSeqno, id: formatEventId({ ...parseEventId(event.id), mcSeqno }) }
    this.#restamped.set(event, stamped)
    return stamped
  }

  close(): void {
    clearTimeout(this.#leaving)
    this.#closing.abort(new Error('Closing.'))
    for (const delivery of this.#deliveries) delivery.close()
    this.#stop()
  }

  noteReadFailure(error: unknown, mcSeqno: number): void {
    this.#logger.warn('event log read failed, retrying', { mcSeqno, error })
  }

  noteFailure(error: unknown): void {
    this.#logger.error('event delivery failed', { error })
  }

  async #follow(): Promise<void> {
    this.#latest = (await this.log.findHead()) ?? -1
    if (this.#closing.signal.aborted) return
    const endings = [
      this.log.follow(
        (block) => this.#onBlock(block),
        (mcSeqno) => this.#onJump(mcSeqno),
      ),
      this.journal?.follow((event) => this.#onSpeculative(event)),
    ]
    const ticking = setInterval(() => this.#tick(), TICK_MS)
    ticking.unref()
    this.#unfollow = () => {
      for (const end of endings) end?.()
      clearInterval(ticking)
      this.#unfollow = undefined
    }
    this.#leaveIfUnused()
  }

  #updateDemand(): void {
    if (this.#index.hasSpeculative) this.#leaveDemand ??= this.journal?.demand()
    else {
      this.#leaveDemand?.()
      this.#leaveDemand = undefined
    }
  }

  #leaveIfUnused(): void {
    if (this.#deliveries.size > 0 || this.#unfollow === undefined) return
    clearTimeout(this.#leaving)
    this.#leaving = setTimeout(() => this.#stop(), this.#lingerMs)
    this.#leaving.unref()
  }

  #stop(): void {
    this.#unfollow?.()
    this.#started = undefined
    this.#latest = -1
  }

  #onJump(mcSeqno: number): void {
    this.#latest = mcSeqno
    this.#final.clear()
    this.#finalStates.clear()
    for (const delivery of this.#deliveries) delivery.jumpTo(mcSeqno)
  }

  #onBlock(block: BlockEvents): void {
    if (block.mcSeqno <= this.#latest) return
    // Nothing was indexed before: the stream begins with this block.
    if (this.#latest < 0) this.#latest = block.mcSeqno - 1
    // The first after the head that was known at the start may leave out some.
    if (block.mcSeqno > this.#latest + 1) for (const delivery of this.#deliveries) delivery.fallBehind()
    const receivedAt = performance.now()
    const offered = new Map<Subscriber, number[]>()
    block.events.forEach((event, index) => {
      const key = keyOf(event)
      if (key !== undefined) this.#final.set(key, true)
      if (event.kind === 'st') this.#finalStates.set(keyText(event.account), event.lt)
      for (const delivery of this.#index.find(event)) {
        const indexes = offered.get(delivery)
        if (indexes === undefined) offered.set(delivery, [index])
        else indexes.push(index)
      }
    })
    this.#latest = block.mcSeqno
    for (const [delivery, indexes] of offered) delivery.offer({ block, indexes, receivedAt })
    for (const delivery of this.#scanning) this.wake(delivery)
  }

  #onSpeculative(event: StreamEvent): void {
    if (isInvalidation(event)) {
      for (const delivery of this.#index.find(event)) delivery.offerInvalidation(event)
      return
    }
    for (const delivery of this.#index.find(event)) delivery.offerSpeculative(event)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#runReady())
  }

  #runReady(): void {
    this.#isScheduled = false
    const end = performance.now() + SLICE_MS
    const ready = this.#ready
    let at = 0
    while (at < ready.length) {
      ready[at++]!.run()
      if (performance.now() > end) break
    }
    this.#ready = ready.slice(at)
    if (this.#ready.length > 0) this.#schedule()
  }

  #tick(): void {
    // A longer time is one in which this process did not run: no client is to blame for it.
    for (const delivery of this.#deliveries) delivery.watch(TICK_MS)
  }
}

/** The account of an event that is not of a trace, and the last logical time that it tells of. */
const lastOf = (event: StreamEvent): { readonly account: Uint8Array; readonly lt: bigint } | undefined => {
  switch (event.kind) {
    case 'st':
      return event
    case 'je':
      return { account: event.wallet.address, lt: event.lt }
    case 'tx':
      return 'account' in event ? { account: event.account, lt: event.transactions.at(-1)!.lt } : undefined
    default:
      return undefined
  }
}
