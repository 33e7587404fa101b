import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { endClient } from '../connect/endClient.ts'
import { LeaseLostError } from '../errors.ts'
import type { Lease, LeaseTimes } from './Lease.ts'

type HeldOptions = { readonly name: string; readonly logger: Logger; readonly times: LeaseTimes }

/** A lease and the connection that keeps it. */
export class HeldLease implements Lease {
  readonly #options: HeldOptions
  readonly #controller = new AbortController()
  #client: pg.Client | undefined
  #epoch = 0n
  #timer: NodeJS.Timeout | undefined
  #renewedAt = 0
  #isRenewing = false
  #isReleased = false

  constructor(options: HeldOptions) {
    this.#options = options
  }

  get epoch(): bigint {
    return this.#epoch
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  start(client: pg.Client, epoch: bigint): void {
    this.#client = client
    this.#epoch = epoch
    this.#renewedAt = performance.now()
    this.#timer = setInterval(() => void this.#renew(), this.#options.times.renewMs)
    // It may have been lost in the moment before.
    if (this.signal.aborted) this.#stop()
  }

  async guard(client: pg.ClientBase): Promise<void> {
    this.signal.throwIfAborted()
    const { rowCount } = await client.query('SELECT FROM leases WHERE name = $1 AND epoch = $2 FOR SHARE', [
      this.#options.name,
      this.#epoch,
    ])
    if (rowCount === 1) return
    this.lose(undefined)
    throw this.signal.reason
  }

  async release(): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    clearInterval(this.#timer)
    this.#controller.abort(new LeaseLostError(`The lease ${this.#options.name} was given back.`))
    // The server frees the lock with the connection.
    if (this.#client !== undefined) await endClient(this.#client)
  }

  /** The connection is gone, and the lock with it. */
  lose(cause: unknown): void {
    if (this.signal.aborted || this.#isReleased) return
    const { name, logger } = this.#options
    // A connection on which it was only waited for may be lost, too.
    if (this.#client !== undefined) logger.warn('lease lost', { name, epoch: this.#epoch, error: cause })
    this.#controller.abort(new LeaseLostError(`The lease ${name} may be held by somebody else now.`, { cause }))
    this.#stop()
  }

  #stop(): void {
    clearInterval(this.#timer)
    if (this.#client !== undefined) void endClient(this.#client)
  }

  async #renew(): Promise<void> {
    const { name, times } = this.#options
    if (performance.now() - this.#renewedAt > times.giveUpMs) return this.lose(undefined)
    if (this.#isRenewing) return
    this.#isRenewing = true
    const asked = performance.now()
    try {
      const result = await this.#client?.query(
        'UPDATE leases SET renewed_at = clock_timestamp() WHERE name = $1 AND epoch = $2',
        [name, this.#epoch],
      )
      if (result?.rowCount === 1) this.#renewedAt = asked
      else this.lose(undefined)
    } catch (error) {
      this.lose(error)
    } finally {
      this.#isRenewing = false
    }
  }
}
