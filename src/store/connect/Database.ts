import type pg from 'pg'
import type { IndexHead } from './HeadWatch.ts'
import type { Reader } from './Reader.ts'

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

export interface Database {
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
