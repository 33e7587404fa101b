import { timingSafeEqual } from 'node:crypto'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import { NotificationListener } from '../../store/connect/notifications.ts'
import { type ApiKey, isLive, keysChannel, readKeyChanges } from '../../store/keys/apiKeys.ts'
import { hashKey, type KeyText } from './keyText.ts'

export type KeyRingOptions = {
  readonly database: Pick<Database, 'transaction' | 'openConnection'>
  /** What the hashes are made with. */
  readonly secret: Uint8Array
  readonly logger: Logger
}

/** What is told by others is seen at once, and what was told to nobody after so long. */
const POLL_MS = 1000
const WARN_MS = 60_000

/**
 * The keys that work, in memory: a request need not wait for the database, and an unknown key costs nothing. While the database is
 * away, those that worked go on working.
 */
export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #keys = new Map<string, ApiKey>()
  readonly #listener: NotificationListener
  readonly #controller = new AbortController()
  #seen = 0n
  #following: Promise<void> | undefined
  #refreshing: Promise<void> = Promise.resolve()
  #warnedAt = Number.NEGATIVE_INFINITY

  private constructor(options: KeyRingOptions) {
    this.#options = options
    this.#listener = new NotificationListener(options.database, { logger: options.logger, pollMs: POLL_MS })
  }

  /** Reads the keys, and follows their changes from then on. */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options)
    await ring.refresh()
    ring.#following = ring.#follow()
    return ring
  }

  /** The key behind a text, if it is one that works. */
  find({ id, text }: KeyText): ApiKey | undefined {
    const key = this.#keys.get(id)
    if (key === undefined || !isLive(key, Date.now())) return undefined
    const hash = hashKey(this.#options.secret, text)
    return key.hash.length === hash.length && timingSafeEqual(key.hash, hash) ? key : undefined
  }

  /** Reads what has changed. One at a time: a later reading must not be undone by an earlier one. */
  refresh(): Promise<void> {
    const next = this.#refreshing.then(() => this.#readChanges())
    this.#refreshing = next.catch(() => undefined)
    return next
  }

  async close(): Promise<void> {
    this.#controller.abort()
    await this.#listener.close()
    await this.#following
  }

  async #readChanges(): Promise<void> {
    const read = (since: bigint) =>
      this.#options.database.transaction((client) => readKeyChanges(client, since), this.#controller.signal)
    let { keys, last } = await read(this.#seen)
    if (last < this.#seen) {
      // Somebody has put an older state of the database in its place.
      ;({ keys, last } = await read(0n))
      this.#keys.clear()
    }
    const now = Date.now()
    for (const key of keys) {
      if (isLive(key, now)) this.#keys.set(key.id, key)
      else this.#keys.delete(key.id)
    }
    this.#seen = last
  }

  async #follow(): Promise<void> {
    const { signal } = this.#controller
    for await (const _hint of this.#listener.watch(keysChannel, signal)) {
      await this.refresh().catch((error: unknown) => this.#warn(error))
    }
  }

  #warn(error: unknown): void {
    if (this.#controller.signal.aborted) return
    const now = performance.now()
    const say = now - this.#warnedAt > WARN_MS ? 'warn' : 'debug'
    if (say === 'warn') this.#warnedAt = now
    this.#options.logger[say]('changes of API keys cannot be seen now', { error })
  }
}
