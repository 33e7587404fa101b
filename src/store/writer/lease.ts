import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import type { Database } from '../connect/Database.ts'
import { endClient } from '../connect/openClient.ts'
import { LeaseHeldError, LeaseLostError, toDatabaseError } from '../errors.ts'

/** The leadership: the right to write the index. */
export interface Lease {
  /** Increases with every change of leader. */
  readonly epoch: bigint
  /** Aborted with a `LeaseLostError` as soon as another process may be the leader. */
  readonly signal: AbortSignal
  /**
   * Call it as the last statement of every writing transaction: no other process can take over between it and the commit. Throws
   * a `LeaseLostError` if one has.
   */
  guard(client: pg.ClientBase): Promise<void>
  /** Releases the leadership, so that a standby need not wait. */
  release(): Promise<void>
}

export type LeaseTimes = {
  /** How often the leader renews the lease. */
  readonly renewMs: number
  /** A leader that could not renew for this long steps down … */
  readonly giveUpMs: number
  /** … and one that has not renewed for this long is replaced. */
  readonly staleMs: number
  /** How often a standby polls. */
  readonly pollMs: number
}

/**
 * A dead leader is replaced within a quarter of a second, a hung one within eight; a disconnected leader steps down after five.
 */
export const leaseTimes: LeaseTimes = { renewMs: 1000, giveUpMs: 4000, staleMs: 7000, pollMs: 250 }

type HeldOptions = { readonly name: string; readonly logger: Logger; readonly times: LeaseTimes }

/** A lease and the connection that holds its lock. */
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
    // The connection may have been lost a moment ago.
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
    this.#controller.abort(new LeaseLostError(`The lease ${this.#options.name} was released.`))
    // The server releases the lock with the connection.
    if (this.#client !== undefined) await endClient(this.#client)
  }

  /** Called when the connection is lost, and the lock with it. */
  lose(cause: unknown): void {
    if (this.signal.aborted || this.#isReleased) return
    const { name, logger } = this.#options
    // The connection may be lost while still waiting for the lock.
    if (this.#client !== undefined) logger.warn('leadership lost', { name, epoch: this.#epoch, error: cause })
    this.#controller.abort(new LeaseLostError(`The lease ${name} may be held by another process now.`, { cause }))
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
  /** This process, for operators: host and pid. */
  readonly holder: string
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly times?: LeaseTimes
  /** How long to wait for a live leader before a `LeaseHeldError` names it. Forever by default. */
  readonly waitMs?: number
  /** Called whenever a poll finds another leader. */
  readonly onHeld?: () => void
  /** Runs before leadership is acquired, on the connection that will hold it. */
  readonly beforeTaking?: (client: pg.Client) => Promise<void>
}

/**
 * Waits until there is no other leader, and becomes the leader. Two things make a leader: an advisory lock, which the server
 * releases when the leader's connection ends, and a row that the leader renews. The lock makes failover fast when a leader dies;
 * the row reveals a hung leader, and its epoch keeps one that wakes up again from writing.
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
          if (!isWaiting) logger.info('waiting for leadership', { name })
          isWaiting = true
          onHeld?.()
          const isEnded = await endIfSilent(client, name, key, times, logger)
          if (!isEnded && performance.now() >= until) throw await describeHolder(client, name)
          await delay(times.pollMs, undefined, { signal })
        }
        await beforeTaking?.(client)
        const epoch = await takeRow(client, name, holder)
        // Nobody waits for it any more: the connection ends, and the lock with it.
        signal.throwIfAborted()
        held.start(client, epoch)
        logger.info('leadership acquired', { name, epoch: held.epoch })
        return held
      } catch (error) {
        await endClient(client)
        throw toDatabaseError(error)
      }
    } catch (error) {
      if (!(error instanceof CodedError && error.retryable)) throw error
      signal?.throwIfAborted()
      if (failures++ % TELL_EVERY === 0) logger.warn('leadership not acquired, retrying', { name, error })
      await delay(FAILED_POLLS * times.pollMs, undefined, { signal })
    }
  }
}

// The server may be down for hours: poll and log less often.
const FAILED_POLLS = 4
const TELL_EVERY = 10

const lockKey = (name: string): bigint =>
  BigInt.asIntN(64, getU64BE(sha256(new TextEncoder().encode(`chaincenter lease ${name}`)), 0))

const tryLock = async (client: pg.Client, key: bigint): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [key])
  return rows[0]!.taken
}

/**
 * A leader that holds the lock but has not renewed the row hangs or is disconnected: the server terminates its connection, and so
 * releases the lock.
 */
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
  logger.warn('taking leadership from stale leader', { name, holder: rows[0].holder })
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

/** From now on nothing that an earlier leader still writes can be committed; waits for a commit in progress. */
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
