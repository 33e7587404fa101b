import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import type { Database } from '../connect/Database.ts'
import { endClient } from '../connect/openClient.ts'
import { LeaseHeldError, LeaseLostError, toDatabaseError } from '../errors.ts'

/** The right to be the one who writes. */
export interface Lease {
  /** Grows with every change of hands. */
  readonly epoch: bigint
  /** Aborted, with a `LeaseLostError`, as soon as the lease may be somebody else's. */
  readonly signal: AbortSignal
  /**
   * To be called in every transaction that writes, as its last statement: nobody takes over between it and the commit. Throws a
   * `LeaseLostError` where somebody has.
   */
  guard(client: pg.ClientBase): Promise<void>
  /** Gives it back, so that another need not wait. */
  release(): Promise<void>
}

export type LeaseTimes = {
  /** How often a holder says that it is alive. */
  readonly renewMs: number
  /** A holder that could not say so for this long stops by itself … */
  readonly giveUpMs: number
  /** … and one that was silent for this long is replaced. */
  readonly staleMs: number
  /** How often those who wait look. */
  readonly pollMs: number
}

/** A holder that dies is replaced within a quarter of a second, one that hangs within eight; it knows after five that it is cut off. */
export const leaseTimes: LeaseTimes = { renewMs: 1000, giveUpMs: 4000, staleMs: 7000, pollMs: 250 }

type HeldOptions = { readonly name: string; readonly logger: Logger; readonly times: LeaseTimes }

/** A lease and the connection that keeps it. */
class HeldLease implements Lease {
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

export type LeaseOptions = {
  readonly name: string
  /** Who we are, for people: host and process. */
  readonly holder: string
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly times?: LeaseTimes
  /** How long to wait for a holder that is alive, before it is named in a `LeaseHeldError`. Without it, for ever. */
  readonly waitMs?: number
  /** Told whenever a look finds that somebody else leads. */
  readonly onHeld?: () => void
  /** Done before the lead is taken, on the connection that will keep it. */
  readonly beforeTaking?: (client: pg.Client) => Promise<void>
}

/**
 * Waits until nobody else leads, and leads. Two things make a leader: a lock that the server frees when the leader's connection
 * ends, and a row that the leader renews. The lock makes the change quick when a leader dies; the row tells when one hangs, and
 * its epoch keeps one that wakes up again from writing.
 */
export const acquireLease = async (
  database: Pick<Database, 'openConnection'>,
  {
    name,
    holder,
    logger,
    signal,
    times = leaseTimes,
    waitMs = Number.POSITIVE_INFINITY,
    onHeld,
    beforeTaking,
  }: LeaseOptions,
): Promise<Lease> => {
  const key = lockKey(name)
  const until = performance.now() + waitMs
  let isWaiting = false
  let failures = 0
  for (;;) {
    signal.throwIfAborted()
    const held = new HeldLease({ name, logger, times })
    try {
      const client = await database.openConnection('lease', (error) => held.lose(error))
      try {
        signal.throwIfAborted()
        while (!(await tryLock(client, key))) {
          if (!isWaiting) logger.info('waiting for the lease', { name })
          isWaiting = true
          onHeld?.()
          const isEnded = await endIfSilent(client, name, key, times, logger)
          if (!isEnded && performance.now() >= until) throw await describeHolder(client, name)
          await delay(times.pollMs, undefined, { signal })
        }
        await beforeTaking?.(client)
        held.start(client, await takeRow(client, name, holder))
        logger.info('lease taken', { name, epoch: held.epoch })
        return held
      } catch (error) {
        await endClient(client)
        throw toDatabaseError(error)
      }
    } catch (error) {
      if (!(error instanceof CodedError && error.retryable)) throw error
      if (failures++ % TELL_EVERY === 0) logger.warn('no lease yet', { name, error })
      await delay(FAILED_POLLS * times.pollMs, undefined, { signal })
    }
  }
}

// A server may be away for hours: it is tried, and told of, less often.
const FAILED_POLLS = 4
const TELL_EVERY = 10

const lockKey = (name: string): bigint =>
  BigInt.asIntN(64, getU64BE(sha256(new TextEncoder().encode(`chaincenter lease ${name}`)), 0))

const tryLock = async (client: pg.Client, key: bigint): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [key])
  return rows[0]!.taken
}

/** Who holds the lock and has not renewed the row for long hangs, or is cut off: the server ends its connection, and so the lock. */
const endIfSilent = async (
  client: pg.Client,
  name: string,
  key: bigint,
  { staleMs }: LeaseTimes,
  logger: Logger,
): Promise<boolean> => {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT holder FROM leases WHERE name = $1 AND renewed_at < clock_timestamp() - make_interval(secs => $2)`,
    [name, staleMs / 1000],
  )
  if (rows[0] === undefined) return false
  logger.warn('taking the lease from a silent holder', { name, holder: rows[0].holder })
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND classid = (($1::bigint >> 32) & 4294967295)::oid AND objid = ($1::bigint & 4294967295)::oid`,
    [key],
  )
  return true
}

const describeHolder = async (client: pg.Client, name: string): Promise<LeaseHeldError> => {
  const { rows } = await client.query<{ holder: string; acquired_at: Date }>(
    'SELECT holder, acquired_at FROM leases WHERE name = $1',
    [name],
  )
  const { holder, acquired_at: since } = rows[0] ?? {}
  const who = holder === undefined ? 'another process' : `${holder}, since ${since!.toISOString()}`
  return new LeaseHeldError(`The lease "${name}" is held by ${who}.`)
}

/** From now on nothing that an earlier holder still writes can be committed; what it is committing is waited for. */
const takeRow = async (client: pg.Client, name: string, holder: string): Promise<bigint> => {
  const { rows } = await client.query<{ epoch: bigint }>(
    `INSERT INTO leases AS l (name, epoch, holder, backend_pid, acquired_at, renewed_at)
     VALUES ($1, 1, $2, pg_backend_pid(), clock_timestamp(), clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET epoch = l.epoch + 1, holder = excluded.holder, backend_pid = excluded.backend_pid,
       acquired_at = excluded.acquired_at, renewed_at = excluded.renewed_at
     RETURNING l.epoch`,
    [name, holder],
  )
  return rows[0]!.epoch
}
