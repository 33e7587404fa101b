import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from '../observe/Logger.ts'
import { createSemaphore, pause } from '../primitives/scheduling.ts'
import type { Database } from '../store/connect/Database.ts'
import { NotificationListener } from '../store/connect/notifications.ts'
import { cleanExcessRows, cleanOldRows, type RowLimits, readBacklogs } from '../store/webhooks/deliveries.ts'
import {
  disableEndpoint,
  findEndpoint,
  listOrphans,
  rewindCursors,
  webhooksChannel,
} from '../store/webhooks/endpoints.ts'
import {
  announceSender,
  claimEndpoints,
  dismissSender,
  type OwnedEndpoint,
  releaseEndpoints,
  renewLeases,
} from '../store/webhooks/leases.ts'
import type { Journal } from '../streaming/events.ts'
import { type AttemptOutcome, EndpointSender, type SenderParts, sendDisabled } from './EndpointSender.ts'

export type DispatcherOptions = Omit<SenderParts, 'database' | 'slots' | 'onAttempt'> & {
  readonly database: Pick<Database, 'transaction' | 'openConnection'>
  /** Events that are not final. */
  readonly journal?: Journal | undefined
  /** Called with the time from storing a delivery to its success. */
  readonly onDelivered?: ((ageMs: number) => void) | undefined
  readonly times?: DispatcherTimes
}

export type DispatcherTimes = {
  /** A process that has not renewed its lease for this long is replaced. */
  readonly leaseMs: number
  /** How often rows that are no longer kept are deleted. */
  readonly cleanMs: number
  /** How long attempts in flight may take at the end. */
  readonly closeMs: number
}

const dispatcherTimes: DispatcherTimes = { leaseMs: 8000, cleanMs: 60_000, closeMs: 5000 }

/** Attempts of a process at a time. */
const ATTEMPTS_AT_ONCE = 128
const MAX_OWNED = 2000
const DAY = 86_400_000
const KEPT_DAYS = 30
const rowLimits: RowLimits = { finished: 100_000, dead: 20_000, lanes: 200_000 }
/** Counting rows costs more than deleting old ones, so every so many cleanups. */
const EXCESS_EVERY = 60

export type DispatcherStats = {
  readonly attempts: Readonly<Record<AttemptOutcome, number>>
  readonly endpoints: number
  readonly waiting: number
  readonly dead: number
  /** Of the endpoint that is furthest behind. */
  readonly lagBlocks: number
  readonly lagMs: number
}

/**
 * Sends webhooks. Any number of processes may: each owns a share of the endpoints, and takes over those of a process that died. All
 * state is in the database.
 */
export class WebhookDispatcher {
  readonly #options: DispatcherOptions
  readonly #times: DispatcherTimes
  readonly #holder = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`
  readonly #senders = new Map<string, EndpointSender>()
  readonly #leaving = new WeakSet<EndpointSender>()
  readonly #controller = new AbortController()
  readonly #listener: NotificationListener
  readonly #slots = createSemaphore(ATTEMPTS_AT_ONCE)
  readonly #attempts: Record<AttemptOutcome, number> = { delivered: 0, failed: 0, refused: 0, dead: 0 }
  readonly #logger: Logger
  #leave: (() => void)[] = []
  #leaveDemand: (() => void) | undefined
  #working: readonly Promise<void>[] = []
  #renewedAt = performance.now()
  #dead = 0
  #cleanups = 0
  #beat: (() => void) | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#times = options.times ?? dispatcherTimes
    this.#logger = options.logger
    this.#listener = new NotificationListener(options.database, { logger: options.logger, pollMs: 60_000 })
    this.#working = [this.#keepLeases(), this.#listen(), this.#clean()]
  }

  stats(): DispatcherStats {
    const senders = [...this.#senders.values()]
    const lags = senders.map(({ lag }) => lag)
    return {
      attempts: { ...this.#attempts },
      endpoints: senders.length,
      waiting: senders.reduce((sum, { waiting }) => sum + waiting, 0),
      dead: this.#dead,
      lagBlocks: Math.max(0, ...lags.map(({ blocks }) => blocks)),
      lagMs: Math.max(0, ...lags.map(({ ageMs }) => ageMs)),
    }
  }

  /** Looks for what is due in all endpoints. */
  wake(): void {
    for (const sender of this.#senders.values()) sender.wake()
  }

  /** Ends attempts in flight, and gives up all endpoints. */
  async close(): Promise<void> {
    for (const leave of this.#leave) leave()
    this.#leaveDemand?.()
    this.#controller.abort()
    await this.#listener.close()
    this.#beat?.()
    await Promise.allSettled(this.#working)
    const senders = [...this.#senders.values()]
    const stopping = Promise.all(senders.map((sender) => sender.stop()))
    const timer = setTimeout(() => {
      for (const sender of senders) sender.lose()
    }, this.#times.closeMs)
    await stopping.finally(() => clearTimeout(timer))
    const { database } = this.#options
    await database
      .transaction(async (client) => {
        await releaseEndpoints(
          client,
          senders.map(({ owned }) => owned),
        )
        await dismissSender(client, this.#holder)
      })
      .catch((error: unknown) => this.#logger.debug('webhook leases not released', { error }))
  }

  /** Follows the log and the journal while there is an endpoint to send to: otherwise nothing is read. */
  #follow(): void {
    const { log, journal } = this.#options
    const senders = [...this.#senders.values()]
    if (senders.some(({ wantsSpeculative }) => wantsSpeculative)) this.#leaveDemand ??= journal?.demand()
    else {
      this.#leaveDemand?.()
      this.#leaveDemand = undefined
    }
    if (senders.length === 0) {
      for (const leave of this.#leave) leave()
      this.#leave = []
      return
    }
    if (this.#leave.length > 0) return
    const leaveLog = log.follow(
      () => this.wake(),
      (mcSeqno) => void this.#setBack(mcSeqno),
    )
    const leaveJournal = journal?.follow((event) => {
      for (const sender of this.#senders.values()) if (sender.wantsSpeculative) sender.offer(event)
    })
    this.#leave = leaveJournal === undefined ? [leaveLog] : [leaveLog, leaveJournal]
  }

  /** Events after this block are void. */
  async #setBack(mcSeqno: number): Promise<void> {
    await this.#options.database
      .transaction((client) => rewindCursors(client, mcSeqno), this.#controller.signal)
      .catch((error: unknown) => this.#logger.warn('webhook positions not set back', { mcSeqno, error }))
  }

  async #keepLeases(): Promise<void> {
    const { signal } = this.#controller
    while (!signal.aborted) {
      try {
        await this.#renewAndClaim()
      } catch (error) {
        if (signal.aborted) return
        this.#logger.warn('webhook leases not renewed, retrying', { error })
      }
      this.#dropStale()
      this.#follow()
      await this.#sleep(this.#times.leaseMs / 4)
    }
  }

  /** Leases that may have ended are given up before another process can take them. */
  #dropStale(): void {
    if (performance.now() - this.#renewedAt < (3 / 4) * this.#times.leaseMs) return
    for (const [id, sender] of this.#senders) {
      sender.lose()
      this.#senders.delete(id)
    }
  }

  async #renewAndClaim(): Promise<void> {
    const { leaseMs } = this.#times
    const { database } = this.#options
    const asked = performance.now()
    const owned = [...this.#senders.values()].map((sender) => sender.owned)
    const { kept, share, claimed } = await database.transaction(async (client) => {
      const claim = { holder: this.#holder, leaseMs }
      const { senders, endpoints } = await announceSender(client, claim)
      const own = Math.min(MAX_OWNED, Math.ceil(endpoints / Math.max(1, senders)))
      const still = await renewLeases(client, owned, leaseMs)
      return {
        kept: still,
        share: own,
        claimed: await claimEndpoints(client, { ...claim, limit: own - still.size }),
      }
    }, this.#controller.signal)
    this.#renewedAt = asked
    for (const { id } of owned) {
      if (kept.has(id)) continue
      this.#senders.get(id)?.lose()
      this.#senders.delete(id)
    }
    for (const each of claimed) this.#begin(each)
    for (const sender of [...this.#senders.values()].slice(share)) {
      if (this.#leaving.has(sender)) continue
      this.#leaving.add(sender)
      void this.#giveUp(sender)
    }
  }

  #begin(owned: OwnedEndpoint): void {
    const sender = new EndpointSender(owned, {
      ...this.#options,
      slots: this.#slots,
      onAttempt: (outcome, ageMs) => {
        this.#attempts[outcome]++
        if (outcome === 'delivered') this.#options.onDelivered?.(ageMs)
      },
    })
    this.#senders.set(owned.id, sender)
    void sender.done.then(() => {
      if (this.#senders.get(owned.id) === sender) this.#senders.delete(owned.id)
    })
  }

  /** Another process has room for it. The lease is renewed until its attempts in flight are done. */
  async #giveUp(sender: EndpointSender): Promise<void> {
    await sender.stop()
    await this.#options.database
      .transaction((client) => releaseEndpoints(client, [sender.owned]))
      .catch((error: unknown) => this.#logger.debug('webhook lease not released', { error }))
  }

  async #listen(): Promise<void> {
    const { signal } = this.#controller
    for await (const id of this.#listener.watch(webhooksChannel, signal)) {
      if (id === undefined || id === '') for (const sender of this.#senders.values()) sender.reload()
      else if (this.#senders.has(id)) this.#senders.get(id)?.reload()
      else this.#beat?.()
    }
  }

  async #clean(): Promise<void> {
    const { signal } = this.#controller
    while (!signal.aborted) {
      try {
        await pause(this.#times.cleanMs, signal)
        await this.#cleanOnce(signal)
      } catch (error) {
        if (!signal.aborted) this.#logger.warn('webhook cleanup failed, retrying', { error })
      }
    }
  }

  async #cleanOnce(signal: AbortSignal): Promise<void> {
    const { database, now } = this.#options
    const at = now()
    const orphans = await database.transaction(async (client) => {
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
        ['chaincenter webhook cleanup'],
      )
      if (rows[0]?.taken !== true) return []
      await cleanOldRows(client, {
        deliveriesBefore: new Date(at - KEPT_DAYS * DAY),
        requestsBefore: new Date(at - DAY),
      })
      if (this.#cleanups++ % EXCESS_EVERY === 0) await cleanExcessRows(client, rowLimits)
      return listOrphans(client, new Date(at))
    }, signal)
    for (const id of orphans) await this.#disableOrphan(id, signal)
    const backlogs = await database.transaction((client) => readBacklogs(client, [...this.#senders.keys()]), signal)
    this.#dead = [...backlogs.values()].reduce((sum, { dead }) => sum + dead, 0)
  }

  async #disableOrphan(id: string, signal: AbortSignal): Promise<void> {
    const { database, box } = this.#options
    const endpoint = await database.transaction(async (client) => {
      const found = await findEndpoint(client, id)
      return found !== undefined && (await disableEndpoint(client, id, 'key_ended')) ? found : undefined
    }, signal)
    if (endpoint === undefined) return
    this.#logger.info('webhook endpoint disabled', { endpoint: id, reason: 'key_ended' })
    await sendDisabled(endpoint, box.openSecrets(id, endpoint.secrets), 'key_ended', this.#options, signal)
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#controller.signal.aborted) return
    await new Promise<void>((done) => {
      const timer = setTimeout(done, ms)
      this.#beat = () => {
        clearTimeout(timer)
        done()
      }
    })
    this.#beat = undefined
  }
}
