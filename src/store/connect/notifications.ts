import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from './Database.ts'

export type NotificationOptions = {
  readonly logger: Logger
  /** How long to go without a notification before polling anyway. */
  readonly pollMs: number
}

type Watcher = { readonly channel: string; wake: (payload: string | undefined) => void }

const RETRY_MS = 2000

/**
 * Tells when there may be something new. Notifications of the server make that fast, but they are only hints: one may be lost
 * with a connection, and some servers have none. So watchers are also woken from time to time and poll themselves.
 */
export class NotificationListener {
  readonly #database: Pick<Database, 'openConnection'>
  readonly #options: NotificationOptions
  readonly #watchers = new Set<Watcher>()
  readonly #controller = new AbortController()
  #client: Promise<pg.Client | undefined> | undefined

  constructor(database: Pick<Database, 'openConnection'>, options: NotificationOptions) {
    this.#database = database
    this.#options = options
  }

  /** The newest payload since the last time, or `undefined` when it is only time to poll. The first comes at once. */
  async *watch(channel: string, signal: AbortSignal): AsyncGenerator<string | undefined, void> {
    const ends = AbortSignal.any([signal, this.#controller.signal])
    let pending: { readonly payload: string | undefined } | undefined = { payload: undefined }
    let resume: (() => void) | undefined
    const watcher: Watcher = {
      channel,
      wake: (payload) => {
        pending = { payload }
        resume?.()
      },
    }
    const end = (): void => resume?.()
    ends.addEventListener('abort', end)
    this.#watchers.add(watcher)
    try {
      await this.#listen(channel)
      while (!ends.aborted) {
        if (pending === undefined) {
          const timer = setTimeout(() => watcher.wake(undefined), this.#options.pollMs)
          await new Promise<void>((done) => {
            resume = done
          })
          clearTimeout(timer)
        }
        const { payload } = pending ?? {}
        pending = undefined
        if (!ends.aborted) yield payload
      }
    } finally {
      this.#watchers.delete(watcher)
      ends.removeEventListener('abort', end)
    }
  }

  async close(): Promise<void> {
    this.#controller.abort()
    const client = await this.#client
    await client?.end().catch(() => {})
  }

  async #listen(channel: string): Promise<void> {
    this.#client ??= this.#connect()
    const client = await this.#client
    try {
      await client?.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      this.#options.logger.debug('database notifications unavailable, polling', { channel, error })
    }
  }

  /** A connection, or `undefined` if there is none for now: then all watchers poll. */
  async #connect(): Promise<pg.Client | undefined> {
    try {
      const client = await this.#database.openConnection('hints', () => void this.#reconnect())
      client.on('notification', ({ channel, payload }) => {
        for (const watcher of this.#watchers) if (watcher.channel === channel) watcher.wake(payload ?? '')
      })
      return client
    } catch (error) {
      this.#options.logger.debug('notification connection failed, retrying', { error })
      void this.#reconnect()
      return undefined
    }
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#controller
    await delay(RETRY_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    this.#client = this.#connect()
    for (const channel of new Set([...this.#watchers].map((watcher) => watcher.channel))) await this.#listen(channel)
    // Notifications sent in the meantime were lost.
    for (const watcher of this.#watchers) watcher.wake(undefined)
  }
}

/** Channel for indexed blocks. Payload: the first and the last of them, `120-127`. */
export const indexedChannel = 'chaincenter_indexed'

/** Notifies the watchers of a channel when the transaction commits. The payload is short: a number, not a row. */
export const sendNotification = async (client: pg.ClientBase, channel: string, payload: string): Promise<void> => {
  await client.query('SELECT pg_notify($1, $2)', [channel, payload])
}
