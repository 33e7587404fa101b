import type { CompiledQuery } from 'kysely'

/** Answers questions. A question that failed because the connection was lost is asked once more. */
export interface Reader {
  /** `timeoutMs` ends it earlier than the connection's own limit does, where the reader can. */
  read<Row>(query: CompiledQuery<Row>, timeoutMs?: number): Promise<Row[]>
  /** Of a reader with a caller's deadline: the reader that all callers share. */
  readonly behind?: Reader
  /** Of a reader with a caller's deadline: waits for a read of the shared reader, until the deadline at most. */
  wait?<T>(read: Promise<T>): Promise<T>
}
