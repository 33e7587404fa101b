import { timingSafeEqual } from 'node:crypto'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import { NotificationListener } from '../../store/connect/notifications.ts'
import { type ApiKey, isLive, keysChannel, readKeyChanges } from '../../store/keys/apiKeys.ts'
import { hashKey, type KeyText } from './keyText.ts'

export type KeyRingOptions = {
  readonly database: Pick<Database, 'transaction' | 'openConnection'>
  /** The secret of the key hashes. */
  readonly secret: Uint8Array
  readonly logger: Logger
}

/** Notifications are applied at once; polling catches missed ones. */
const POLL_MS = 1000
const WARN_MS = 60_000

/**
 * Active API keys in memory: requests do not wait for the database, and an unknown key is cheap. While the database is unavailable, known
 * keys continue to work.
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

  /** Loads the keys and follows their changes. */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options)
    await ring.refresh()
    ring.#following = ring.#follow()
    return ring
  }

  /** Finds an active key by its text. */
  find({ id, text }: KeyText): ApiKey | undefined {
    const key = this.#keys.get(id)
    if (key === undefined || !isLive(key, Date.now())) return undefined
    const hash = hashKey(this.#options.secret, text)
    return key.hash.length === hash.length && timingSafeEqual(key.hash, hash) ? key : undefined
  }

  /** Whether a key is active, by its public prefix. */
  has(id: string): boolean {
    const key = this.#keys.get(id)
    return key !== undefined && isLive(key, Date.now())
  }

  /** Loads changes, one load at a time, so that an older result never overwrites a newer one. */
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
      // The database was restored from a backup.
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
    this.#options.logger[say]('API key reload failed, retrying', { error })
  }
}
