import type pg from 'pg'
import { CodedError } from '../../primitives/errors.ts'
import { Shards } from './Shards.ts'

/**
 * Connections to a database whose tables are distributed over a Citus cluster. Some statements have a form of their own there; most
 * are the same.
 */
const distributedClients = new WeakMap<object, Shards>()

export const markDistributed = (client: pg.ClientBase, shards: Shards = new Shards()): void => {
  distributedClients.set(client, shards)
}

/** Whether the tables behind a connection are distributed. */
export const isDistributed = (client: pg.ClientBase): boolean => distributedClients.has(client)

/** The shards of the tables behind a connection; `undefined` if they are not distributed. */
export const findShards = (client: pg.ClientBase): Shards | undefined => distributedClients.get(client)

type Asked = { query<Row extends pg.QueryResultRow>(sql: string): Promise<{ readonly rows: Row[] }> }

/** Asks the server for the shards; `undefined` if the tables are not distributed: the extension alone changes nothing. */
export const readDistribution = async (client: Asked): Promise<Shards | undefined> => {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AND to_regclass('transactions') IS NOT NULL AS there`,
  )
  if (!rows[0]!.there) return undefined
  const { rows: found } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_dist_partition WHERE logicalrelid = to_regclass('transactions')`,
  )
  return found[0]!.count === 1 ? Shards.read(client) : undefined
}

/** How the server refuses a statement that needs several shards, in a form that only one shard can run. */
const UNSUPPORTED = '0A000'

export const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly code?: unknown }).code === UNSUPPORTED

/**
 * How the tables of a database are distributed, if they are. That may change while processes use it: then a statement for one server,
 * or for one shard, fails.
 */
export class Engine {
  #shards: Shards | undefined
  #renewing: Promise<void> | undefined

  constructor(shards: Shards | undefined) {
    this.#shards = shards
  }

  get isDistributed(): boolean {
    return this.#shards !== undefined
  }

  get shards(): Shards | undefined {
    return this.#shards
  }

  /** Reads again where the shards are, after some have moved. */
  renew(client: Asked): Promise<void> {
    this.#renewing ??= readDistribution(client)
      .then(
        (now) => {
          if (now !== undefined) this.#shards = now
        },
        () => undefined,
      )
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }

  /** Whether a statement failed because the distribution has changed meanwhile. Other errors say nothing of it. */
  async hasChanged(error: unknown, client: Asked): Promise<boolean> {
    const known = this.#shards
    if (error instanceof CodedError || !(error instanceof Error && 'severity' in error)) return false
    if (known !== undefined && !isUnsupported(error)) return false
    const now = await readDistribution(client).catch(() => undefined)
    if (now === undefined || known?.isSame(now)) return false
    this.#shards = now
    return true
  }
}
