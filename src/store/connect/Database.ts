import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { findShards } from '../distributed/engine.ts'
import { createRoutedReader } from '../distributed/routedReads.ts'
import { queryBuilder } from '../schema/tables.ts'

/** The newest masterchain block in the index. */
export const indexHeadQuery = () =>
  queryBuilder
    .selectFrom('indexed_blocks')
    .select(['mc_seqno', 'gen_utime', 'committed_at'])
    .orderBy('mc_seqno', 'desc')
    .limit(1)

/** Runs queries. A query that fails because the connection was lost is retried once. */
export interface Reader {
  /** `timeoutMs` is a tighter limit than the connection's own, for readers that support it. */
  read<Row>(query: CompiledQuery<Row>, timeoutMs?: number): Promise<Row[]>
  /** Whether the tables are distributed: some queries have a form of their own there. */
  readonly isDistributed?: boolean
  /** The shared reader behind a reader with a caller's deadline. */
  readonly behind?: Reader
  /** On a reader with a caller's deadline: waits for a read of the shared reader, at most until the deadline. */
  wait?<T>(read: Promise<T>): Promise<T>
}

const retainedQuery = () => queryBuilder.selectFrom('index_state').select('retained_from')

/** The newest masterchain block in the index, and when it was made. */
export type IndexHead = {
  readonly seqno: number
  readonly utime: number
  /** History below this block was dropped; 0 if none was. */
  readonly retainedFrom: number
}

/** The last known head of a server. */
type SeenHead = {
  /** `undefined` while the index is empty. */
  readonly head: IndexHead | undefined
  /** Commit time, by the clock of the server that was written to. */
  readonly committedAtMs: number
  /** Time of the poll, by `performance.now()`. */
  readonly seenAt: number
}

const POLL_MS = 200
/** So many polls pass before the beginning of the history is read again: it changes once in days. */
const POLLS_PER_RETAINED = 25

/**
 * Polls how far the index of one server is. The result may be slightly stale, and is never ahead of what readers of that server
 * find.
 */
export class HeadWatch {
  readonly #reader: Reader
  readonly #logger: Logger
  // To compile it takes as long as to run it.
  readonly #headQuery = indexHeadQuery().compile()
  #seen: SeenHead | undefined
  #isLost = false
  #polls = 0
  #retainedFrom = 0
  #polling: Promise<void> | undefined
  #next: Promise<void> | undefined
  #onSeen: () => void = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(reader: Reader, logger: Logger) {
    this.#reader = reader
    this.#logger = logger
  }

  /** The result of the last successful poll. */
  get seen(): SeenHead | undefined {
    return this.#seen
  }

  /** Whether the last poll failed to reach the server. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Marks the server as lost until a poll succeeds. Called by a reader whose query found it unreachable. */
  lose(): void {
    this.#isLost = true
  }

  /** Starts polling. `onSeen` is called after every poll that succeeds. */
  start(onSeen: () => void = () => {}): void {
    this.#onSeen = onSeen
    this.#timer ??= setInterval(() => void this.poll(), POLL_MS).unref()
  }

  /** Polls now, unless a poll is running. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  /** A poll that begins after this call: it sees at least what a read that is done has seen. */
  pollAnew(): Promise<void> {
    if (this.#polling === undefined) return this.poll()
    this.#next ??= this.#polling.then(() => {
      this.#next = undefined
      return this.poll()
    })
    return this.#next
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #poll(): Promise<void> {
    const seenAt = performance.now()
    try {
      const [row] = await this.#reader.read(this.#headQuery)
      if (this.#polls++ % POLLS_PER_RETAINED === 0) {
        const [state] = await this.#reader.read(retainedQuery().compile())
        this.#retainedFrom = state?.retained_from ?? 0
      }
      const retainedFrom = this.#retainedFrom
      const head = row === undefined ? undefined : { seqno: row.mc_seqno, utime: row.gen_utime, retainedFrom }
      this.#seen = { head, committedAtMs: row?.committed_at.getTime() ?? 0, seenAt }
      this.#isLost = false
      this.#onSeen()
    } catch (error) {
      this.#isLost = true
      this.#logger.debug('index head poll failed', { error })
    }
  }
}

/** The two readers of one server. A request takes one server for all its queries, so that all rows come from the same server. */
export type ReadServer = {
  /** Reads of single rows by key, over pipelined connections. */
  readonly keyedReads: Reader
  /** Reads that may take longer, over a connection pool. */
  readonly listReads: Reader
}

/** A server whose head is tracked. */
export type WatchedServer = ReadServer & {
  /** Another server has the same rows. */
  readonly isReplica: boolean
  /** The newest block known to be there; it may have newer ones by now. */
  findHead(): IndexHead | undefined
  /** Polls the head now. */
  poll(): Promise<void>
  /** The newest block that a finished read of this server, or of any, may have shown. Throws `IndexBehindError` if no server tells. */
  readNewest(of: 'this' | 'any'): Promise<number>
}

export type ReaderAtOptions = {
  /** How long to wait for the block. */
  readonly waitMs: number
  /** Tells that nobody waits any more. */
  readonly isEnded?: (() => boolean) | undefined
}

/** State of the connections of one kind to one server. */
export type ConnectionStats = {
  /** `writer`, or `replica 1` and so on. */
  readonly server: string
  /** What the connections are used for. */
  readonly name: 'writes' | 'lists' | 'points'
  readonly open: number
  readonly busy: number
  readonly waiting: number
}

/** State of a server that is read from. */
export type ServerStats = {
  readonly server: string
  readonly isUsable: boolean
  readonly head: IndexHead | undefined
  /** Of a replica: how long it has been behind the writer. `undefined` until it has answered. */
  readonly lagMs?: number | undefined
}

/** Where reads that ask for a block were sent to. */
export type SeenReadStats = {
  /** A server that was known to have the block. */
  readonly known: number
  /** A replica that got the block while the read waited. */
  readonly waited: number
  /** The writer, since the replicas were behind. */
  readonly writer: number
  /** Refused: no server had the block in time. */
  readonly refused: number
}

/** Where a database is, for another process to connect to. */
export type DatabaseSource = {
  readonly url: string
  readonly readerUrls: readonly string[]
  readonly readerLagMs: number
  /** Whether the service runs the server itself, on this machine. */
  readonly isEmbedded: boolean
}

export type DatabaseStats = {
  readonly connections: readonly ConnectionStats[]
  readonly servers: readonly ServerStats[]
  readonly seenReads: SeenReadStats
}

export interface Database {
  readonly source: DatabaseSource
  /** Major version of the server to write to. */
  readonly majorVersion: number
  /** Whether the tables are distributed over a Citus cluster. */
  readonly isDistributed: boolean
  /** The next server to read from: up-to-date replicas in turn, or the writer if there are none. */
  reader(): WatchedServer
  /**
   * A server that has a masterchain block: a replica, if need be after a short wait, or else the writer. Throws `IndexBehindError` if
   * none has it in time.
   */
  readerAt(seqno: number, options: ReaderAtOptions): Promise<WatchedServer>
  /** Connection and server stats, without a query. */
  stats(): DatabaseStats
  /**
   * Runs work in one transaction on the writer and rolls back if it throws. Soon after the signal the connection is closed; then
   * it is unknown whether the commit happened.
   */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** A dedicated connection to the writer, for locks and notifications. `onLost` is called once when it is lost. */
  openConnection(name: string, onLost?: (error: unknown) => void): Promise<pg.Client>
  close(): Promise<void>
}

/** Reads inside a transaction, so that the rows are what the transaction sees. */
export const clientReader = (client: pg.ClientBase): Reader => {
  const reader: Reader = {
    read: async <Row>({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) => {
      const { rows } = await client.query<Row & pg.QueryResultRow>(sql, [...parameters])
      return rows
    },
  }
  const shards = findShards(client)
  // The driver runs one statement at a time.
  return shards === undefined ? reader : createRoutedReader(reader, { atOnce: 1, shards: () => shards })
}
