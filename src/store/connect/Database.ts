import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { queryBuilder } from '../schema/tables.ts'

/** The newest masterchain block in the index. */
export const indexHeadQuery = () =>
  queryBuilder
    .selectFrom('indexed_blocks')
    .select(['mc_seqno', 'gen_utime', 'committed_at'])
    .orderBy('mc_seqno', 'desc')
    .limit(1)

/** Answers questions. A question that failed because the connection was lost is asked once more. */
export interface Reader {
  /** `timeoutMs` ends it earlier than the connection's own limit does, where the reader can. */
  read<Row>(query: CompiledQuery<Row>, timeoutMs?: number): Promise<Row[]>
  /** Of a reader with a caller's deadline: the reader that all callers share. */
  readonly behind?: Reader
  /** Of a reader with a caller's deadline: waits for a read of the shared reader, until the deadline at most. */
  wait?<T>(read: Promise<T>): Promise<T>
}

/** The newest masterchain block in the index, and when it was made. */
export type IndexHead = { readonly seqno: number; readonly utime: number }

/** What a server was last seen to have. */
type SeenHead = {
  /** `undefined` where nothing is indexed yet. */
  readonly head: IndexHead | undefined
  /** When that was written, by the clock of the server that took it. */
  readonly committedAtMs: number
  /** When it was seen, by `performance.now()`. */
  readonly seenAt: number
}

const LOOK_MS = 200

/**
 * Looks every now and then how far the index of one server is. What it knows may be a little old, and is never ahead of what readers of
 * that server find.
 */
export class HeadWatch {
  readonly #reader: Reader
  readonly #logger: Logger
  #seen: SeenHead | undefined
  #isLost = false
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(reader: Reader, logger: Logger) {
    this.#reader = reader
    this.#logger = logger
  }

  /** What was seen last. */
  get seen(): SeenHead | undefined {
    return this.#seen
  }

  /** Whether the last question that was put to the server found nobody. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Somebody has found that the server does not answer. It is believed until it does. */
  lose(): void {
    this.#isLost = true
  }

  /** Looks from now on. */
  start(onLook: () => void = () => {}): void {
    this.#timer ??= setInterval(() => void this.look().then(onLook), LOOK_MS).unref()
  }

  /** Looks now, unless it is being done. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const seenAt = performance.now()
    try {
      const [row] = await this.#reader.read(indexHeadQuery().compile())
      const head = row === undefined ? undefined : { seqno: row.mc_seqno, utime: row.gen_utime }
      this.#seen = { head, committedAtMs: row?.committed_at.getTime() ?? 0, seenAt }
      this.#isLost = false
    } catch (error) {
      this.#isLost = true
      this.#logger.debug('the head of the index is not known', { error })
    }
  }
}

/** How a server is read from. A request takes one and asks it everything, so that all answers are of one view. */
export type ReadServer = {
  /** Single rows by key. */
  readonly points: Reader
  /** Everything that may take longer. */
  readonly lists: Reader
}

/** One of which it is known how far its index is. */
export type WatchedServer = ReadServer & {
  /** The newest block that it was seen to have; it may have others since. */
  findHead(): IndexHead | undefined
  /** Sees how far it is now. */
  look(): Promise<void>
}

/** How the connections of one kind to one server stand. */
export type ConnectionFigures = {
  /** `writer`, or `replica 1` and so on. */
  readonly server: string
  /** What they are for. */
  readonly name: 'writes' | 'lists' | 'points'
  readonly open: number
  readonly busy: number
  readonly waiting: number
}

/** How a server that is read from stands. */
export type ServerFigures = {
  readonly server: string
  readonly isUsable: boolean
  readonly head: IndexHead | undefined
}

/** Where a database is, for another thread to connect to. */
export type DatabaseSource = {
  readonly url: string
  readonly readerUrls: readonly string[]
  readonly readerLagMs: number
}

export interface Database {
  readonly source: DatabaseSource
  /** Major version of the server to write to. */
  readonly majorVersion: number
  /** The next server to read from: the replicas that are up to date in turn or, without any, the writer. */
  reader(): WatchedServer
  /** How everything stands, without asking anybody. */
  figures(): { readonly connections: readonly ConnectionFigures[]; readonly servers: readonly ServerFigures[] }
  /**
   * Runs work in one transaction on the writer. Whatever it throws undoes everything. Soon after the signal its connection is ended;
   * then nobody knows whether it was done.
   */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** A connection of its own to the writer, for locks and notifications. `onLost` is told once when it is gone. */
  openConnection(name: string, onLost?: (error: unknown) => void): Promise<pg.Client>
  close(): Promise<void>
}

/** Asks within a transaction: what is read is what the transaction sees. */
export const clientReader = (client: pg.ClientBase): Reader => ({
  read: async <Row>({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) => {
    const { rows } = await client.query<Row & pg.QueryResultRow>(sql, [...parameters])
    return rows
  },
})
