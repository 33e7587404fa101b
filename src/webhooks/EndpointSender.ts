import type { Logger } from '../observe/Logger.ts'
import { CodedError } from '../primitives/errors.ts'
import { backoffMs, pause, type Semaphore } from '../primitives/scheduling.ts'
import type { Database } from '../store/connect/Database.ts'
import {
  findDelivery,
  insertDeliveries,
  listWaiting,
  moveCursor,
  type NewDelivery,
  type Outcome,
  type Progress,
  storeOutcome,
  sumWaiting,
} from '../store/webhooks/deliveries.ts'
import {
  type DisabledReason,
  disableEndpoint,
  findEndpoint,
  type LogPosition,
  type WebhookEndpoint,
  type WebhookState,
} from '../store/webhooks/endpoints.ts'
import { holdEndpoint, type OwnedEndpoint } from '../store/webhooks/leases.ts'
import { listReplays, moveReplay, type Replay } from '../store/webhooks/requests.ts'
import type { EventLog, StreamEvent } from '../streaming/events.ts'
import { type Attempt, type CallOutRules, callOut } from './callOut.ts'
import { LaneQueue, type Queued } from './LaneQueue.ts'
import { composeMessage, composeNotice, headersOf, type MessageOptions } from './message.ts'
import { decideOutcome, type RetryRules } from './retries.ts'
import type { EndpointSecrets, SecretBox } from './signature.ts'
import { type OpenedSubscription, renderDeliveries, type Taken, takeDeliveries } from './takeDeliveries.ts'

export type SenderParts = MessageOptions & {
  readonly database: Pick<Database, 'transaction'>
  readonly log: EventLog
  readonly openSubscription: (json: unknown) => OpenedSubscription
  readonly box: SecretBox
  readonly rules: CallOutRules
  readonly retries: RetryRules
  /** Limits attempts of the process. */
  readonly slots: Semaphore
  readonly logger: Logger
  readonly now: () => number
  /** How often to look for what is due. */
  readonly pollMs: number
  /** An attempt was made, and its outcome stored; `ageMs` after the delivery was. */
  readonly onAttempt: (outcome: AttemptOutcome, ageMs: number) => void
}

/** Accepted; no response; another status than 2xx; or the last attempt of a delivery, which is dead. */
export type AttemptOutcome = 'delivered' | 'failed' | 'refused' | 'dead'

type Opened = {
  readonly endpoint: WebhookEndpoint
  readonly secrets: EndpointSecrets
  readonly subscription: OpenedSubscription
}

/** Lanes of an endpoint, or deliveries without an order, that are sent at the same time. */
const AT_ONCE = 16
/** Deliveries that wait; then the position in the log stays where it is. */
const MAX_WAITING = 10_000
const MAX_WAITING_BYTES = 64 << 20
const MAX_OFFERED = 1000
/** A position without deliveries is stored this often: losing it repeats only a search. */
const STORE_POSITION_MS = 10_000

class EndpointLostError extends CodedError {
  readonly code = 'webhook_lost'
}

/** Sends the events of one endpoint, for as long as this process owns it. */
export class EndpointSender {
  readonly owned: OwnedEndpoint
  readonly #parts: SenderParts
  readonly #controller = new AbortController()
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #flyingLanes = new Set<string>()
  readonly #done: Promise<void>
  #queue = new LaneQueue('account')
  #opened: Opened | undefined
  #state: WebhookState = 'disabled'
  #cursor: LogPosition | undefined
  #storedCursor: LogPosition | undefined
  #cursorStoredAt = 0
  #replays: readonly Replay[] = []
  #offered: StreamEvent[] = []
  #waitingBytes = 0
  #nextProbeAt = 0
  #needsLoad = true
  /** There are more deliveries in the database than in memory. */
  #isPartial = false
  /** Counts stored outcomes, to notice those that a load may have missed. */
  #outcomes = 0
  #isStopping = false
  #isWoken = false
  #resume: (() => void) | undefined

  constructor(owned: OwnedEndpoint, parts: SenderParts) {
    this.owned = owned
    this.#parts = parts
    this.#done = this.#run()
  }

  /** Resolves when it has stopped, by itself if another process owns the endpoint now. */
  get done(): Promise<void> {
    return this.#done
  }

  get waiting(): number {
    return this.#queue.size
  }

  get wantsSpeculative(): boolean {
    return this.#state === 'active' && this.#opened?.subscription.wantsSpeculative === true
  }

  /** How far it is behind, in masterchain blocks and in the age of the oldest event that waits. */
  get lag(): { readonly blocks: number; readonly ageMs: number } {
    const { log, now } = this.#parts
    let oldest = now()
    for (const first of this.#queue.heads()) oldest = Math.min(oldest, first.createdAt)
    return {
      blocks: this.#cursor === undefined ? 0 : Math.max(0, (log.head ?? 0) - this.#cursor.mcSeqno),
      ageMs: Math.max(0, now() - oldest),
    }
  }

  /** Looks for what is due. */
  wake(): void {
    this.#isWoken = true
    this.#resume?.()
  }

  /** The endpoint was changed. */
  reload(): void {
    this.#needsLoad = true
    this.wake()
  }

  /** An event that is not final. */
  offer(event: StreamEvent): void {
    if (this.#offered.length >= MAX_OFFERED) return
    this.#offered.push(event)
    this.wake()
  }

  /** Starts no more attempts, and waits for those in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    await this.#done
  }

  /** Ends attempts in flight at once: another process may own the endpoint. */
  lose(): void {
    this.#isStopping = true
    this.#controller.abort(new EndpointLostError(`The endpoint ${this.owned.id} is owned by another process.`))
    this.wake()
  }

  async #run(): Promise<void> {
    const { logger, pollMs } = this.#parts
    let failures = 0
    while (!this.#isStopping) {
      let waitMs = pollMs
      try {
        if (this.#needsLoad || (this.#isPartial && this.#queue.size < MAX_WAITING / 2)) await this.#load()
        // The load was overtaken by an attempt.
        if (this.#needsLoad) continue
        if (this.#state !== 'disabled' && this.#opened !== undefined) {
          if (await this.#fill(this.#opened)) waitMs = 0
          this.#startDue(this.#opened)
        }
        failures = 0
      } catch (error) {
        if (this.#isStopping) break
        waitMs = backoffMs({ firstMs: 500, maxMs: 10_000 }, ++failures)
        if (failures % 10 === 1) logger.warn('webhook work failed, retrying', { endpoint: this.owned.id, error })
      }
      await this.#sleep(waitMs)
    }
    await Promise.allSettled(this.#inFlight.values())
  }

  async #sleep(ms: number): Promise<void> {
    if (!this.#isStopping && !this.#isWoken) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, ms)
        this.#resume = () => {
          clearTimeout(timer)
          done()
        }
      })
      this.#resume = undefined
    }
    this.#isWoken = false
  }

  /** A transaction of the owner. Throws if another process owns the endpoint now. */
  #transaction<T>(work: (client: Parameters<typeof holdEndpoint>[0]) => Promise<T>): Promise<T> {
    return this.#parts.database.transaction(async (client) => {
      if (await holdEndpoint(client, this.owned)) return work(client)
      this.lose()
      throw this.#controller.signal.reason
    }, this.#controller.signal)
  }

  async #load(): Promise<void> {
    const { box, openSubscription, logger } = this.#parts
    const { id } = this.owned
    this.#needsLoad = false
    const outcomes = this.#outcomes
    const loaded = await this.#transaction(async (client) => ({
      endpoint: await findEndpoint(client, id),
      waiting: await listWaiting(client, id, MAX_WAITING),
      bytes: await sumWaiting(client, id),
      replays: await listReplays(client, id),
    })).catch((error: unknown) => {
      this.#needsLoad = true
      throw error
    })
    const { endpoint, waiting, bytes, replays } = loaded
    if (endpoint === undefined) return this.lose()
    if (outcomes !== this.#outcomes) {
      this.#needsLoad = true
      return
    }
    this.#isPartial = waiting.length === MAX_WAITING
    this.#state = endpoint.state
    this.#replays = replays
    this.#waitingBytes = bytes
    const isSame =
      endpoint.cursor?.mcSeqno === this.#storedCursor?.mcSeqno &&
      endpoint.cursor?.eventId === this.#storedCursor?.eventId
    if (!isSame || this.#cursor === undefined) this.#cursor = endpoint.cursor
    this.#storedCursor = endpoint.cursor
    this.#queue = new LaneQueue(endpoint.ordering)
    for (const delivery of waiting) this.#queue.add({ ...delivery })
    try {
      const subscription = openSubscription(JSON.parse(endpoint.subscription))
      this.#opened = { endpoint, secrets: box.openSecrets(id, endpoint.secrets), subscription }
    } catch (error) {
      this.#opened = undefined
      logger.warn('webhook endpoint unusable', { endpoint: id, error })
    }
  }

  #dequeue(delivery: Queued, bytes = 0): void {
    this.#queue.remove(delivery)
    this.#waitingBytes = this.#queue.size === 0 ? 0 : Math.max(0, this.#waitingBytes - bytes)
  }

  get #hasRoom(): boolean {
    return !this.#isPartial && this.#queue.size < MAX_WAITING && this.#waitingBytes < MAX_WAITING_BYTES
  }

  /** Makes deliveries of events: those that are not final, the next of the log, and the next of the oldest replay. True if there may be more. */
  async #fill(opened: Opened): Promise<boolean> {
    const { log, now } = this.#parts
    const offered = this.#offered.splice(0)
    if (offered.length > 0 && this.#hasRoom) {
      const { deliveries } = await renderDeliveries(opened.subscription, offered, now)
      await this.#store(opened, deliveries, 0n, undefined)
    }
    const { head } = log
    if (head === undefined) return false
    let more = false
    if (this.#hasRoom) {
      this.#cursor ??= { mcSeqno: (await log.findOldest()) - 1, eventId: undefined }
      const taken = await this.#take(opened, this.#cursor, { mcSeqno: head, eventId: undefined })
      const isDue =
        now() - this.#cursorStoredAt > STORE_POSITION_MS && taken.next.mcSeqno !== this.#storedCursor?.mcSeqno
      if (taken.deliveries.length > 0 || isDue) await this.#store(opened, taken.deliveries, 0n, taken.next)
      this.#cursor = taken.next
      more = !taken.isEnd
    }
    const [replay] = this.#replays
    if (replay !== undefined && this.#hasRoom) {
      const taken = await this.#take(opened, replay.from, replay.until)
      await this.#storeReplay(opened, replay, taken)
      more = true
    }
    return more && this.#hasRoom
  }

  #take({ subscription }: Opened, from: LogPosition, until: LogPosition): Promise<Taken> {
    const { id } = this.owned
    return takeDeliveries({ ...this.#parts, id, subscription, signal: this.#controller.signal }, from, until)
  }

  async #store(
    { endpoint }: Opened,
    deliveries: readonly NewDelivery[],
    replay: bigint,
    next: LogPosition | undefined,
  ): Promise<void> {
    const at = this.#parts.now()
    const inserted = await this.#transaction(async (client) => {
      if (next !== undefined) await moveCursor(client, endpoint.id, next)
      return insertDeliveries(client, { endpointId: endpoint.id, replay, at: new Date(at) }, deliveries)
    })
    if (next !== undefined) {
      this.#storedCursor = next
      this.#cursorStoredAt = at
    }
    this.#queueAll(inserted, at)
  }

  async #storeReplay({ endpoint }: Opened, replay: Replay, { deliveries, next, isEnd }: Taken): Promise<void> {
    const at = this.#parts.now()
    const inserted = await this.#transaction(async (client) => {
      await moveReplay(client, replay.id, isEnd ? undefined : next)
      return insertDeliveries(client, { endpointId: endpoint.id, replay: replay.id, at: new Date(at) }, deliveries)
    })
    this.#replays = isEnd ? this.#replays.slice(1) : [{ ...replay, from: next }, ...this.#replays.slice(1)]
    this.#queueAll(inserted, at)
  }

  #queueAll(inserted: readonly NewDelivery[], at: number): void {
    for (const { id, lane, isSpeculative, data } of inserted) {
      this.#waitingBytes += data.length
      this.#queue.add({ id, lane, isSpeculative, createdAt: at, tries: 0, nextAttemptAt: at })
    }
  }

  #startDue(opened: Opened): void {
    const at = this.#parts.now()
    if (this.#state === 'failing') {
      if (this.#inFlight.size > 0 || at < this.#nextProbeAt) return
      const oldest = this.#queue.findMostOverdue(at)
      if (oldest !== undefined) this.#start(opened, oldest)
      return
    }
    for (const first of this.#queue.heads()) {
      if (this.#inFlight.size >= AT_ONCE || this.#state !== 'active') return
      if (first.nextAttemptAt <= at && !this.#isFlying(first)) this.#start(opened, first)
    }
  }

  #isFlying({ id, lane }: Queued): boolean {
    return this.#inFlight.has(id) || (this.#queue.ordering === 'account' && this.#flyingLanes.has(lane))
  }

  #start(opened: Opened, delivery: Queued): void {
    const { id, lane } = delivery
    this.#flyingLanes.add(lane)
    const work = this.#attempt(opened, delivery)
      .catch((error: unknown) => {
        if (!this.#isStopping) {
          this.#parts.logger.warn('webhook attempt failed', { endpoint: this.owned.id, delivery: id, error })
          this.#needsLoad = true
        }
      })
      .finally(() => {
        this.#inFlight.delete(id)
        this.#flyingLanes.delete(lane)
        this.wake()
      })
    this.#inFlight.set(id, work)
  }

  async #attempt({ endpoint, secrets }: Opened, delivery: Queued): Promise<void> {
    const { database, slots, rules, now, retries } = this.#parts
    const { signal } = this.#controller
    const content = await database.transaction((client) => findDelivery(client, delivery.id), signal)
    if (content === undefined || content.state !== 'waiting') return this.#dequeue(delivery)
    const body = composeMessage(endpoint, content, this.#parts)
    let startedAt = now()
    const attempt = await slots(() => {
      startedAt = now()
      const headers = headersOf(secrets, { id: content.eventId, body, attempt: content.attempts + 1 }, startedAt)
      return callOut(endpoint.url, headers, body, rules, signal)
    })
    const outcome = decideOutcome(attempt, { ...delivery, startedAt, now: now() }, retries)
    this.#nextProbeAt = now() + retries.probeMs
    const progress = await this.#storeOutcome(delivery.id, outcome)
    this.#parts.onAttempt(nameOutcome(attempt, outcome), now() - delivery.createdAt)
    const wasFailing = this.#state === 'failing'
    this.#state = progress.state
    // The queue may have been loaded again in the meantime.
    const queued = this.#queue.find(delivery)
    if (queued !== undefined) {
      queued.tries = delivery.tries + 1
      queued.nextAttemptAt = outcome.nextAttemptAt?.getTime() ?? 0
    }
    if (outcome.state !== 'waiting') this.#dequeue(delivery, content.data?.length)
    // All that waits is due now.
    if (wasFailing && progress.state === 'active') this.#needsLoad = true
    await this.#disableIfGone(endpoint, secrets, attempt, progress)
  }

  /** An attempt that was made is stored even if the database is away for a while; otherwise it would be made again. */
  async #storeOutcome(deliveryId: string, outcome: Outcome): Promise<Progress> {
    const { retries } = this.#parts
    for (let failures = 1; ; failures++) {
      try {
        this.#outcomes++
        return await this.#transaction((client) =>
          storeOutcome(client, this.owned.id, deliveryId, outcome, retries.failingAfter),
        )
      } catch (error) {
        if (!(error instanceof CodedError && error.retryable)) throw error
        await pause(backoffMs({ firstMs: 100, maxMs: 2000 }, failures), this.#controller.signal)
      } finally {
        this.#outcomes++
      }
    }
  }

  async #disableIfGone(
    endpoint: WebhookEndpoint,
    secrets: EndpointSecrets,
    { status }: Attempt,
    { state, firstFailureAt }: Progress,
  ): Promise<void> {
    const { now, retries } = this.#parts
    const isSilent = firstFailureAt !== undefined && now() - firstFailureAt >= retries.disableAfterMs
    if (state === 'disabled' || !(status === 410 || isSilent)) return
    const reason: DisabledReason = status === 410 ? 'gone' : 'unreachable'
    this.#state = 'disabled'
    if (await this.#transaction((client) => disableEndpoint(client, endpoint.id, reason))) {
      this.#parts.logger.info('webhook endpoint disabled', { endpoint: endpoint.id, reason })
      await sendDisabled(endpoint, secrets, reason, this.#parts, this.#controller.signal)
    }
  }
}

const nameOutcome = (attempt: Attempt, { state }: Outcome): AttemptOutcome => {
  if (state === 'delivered' || state === 'dead') return state
  return attempt.status === undefined ? 'failed' : 'refused'
}

/** Tells an endpoint that it was disabled; tried once. */
export const sendDisabled = async (
  { id, url }: Pick<WebhookEndpoint, 'id' | 'url'>,
  secrets: EndpointSecrets,
  reason: DisabledReason,
  parts: Pick<SenderParts, 'rules' | 'now' | 'network' | 'publicUrl'>,
  signal: AbortSignal,
): Promise<void> => {
  const notice = composeNotice(id, 'endpoint.disabled', { reason }, parts, parts.now())
  await callOut(url, headersOf(secrets, { ...notice, attempt: 1 }, parts.now()), notice.body, parts.rules, signal)
}
