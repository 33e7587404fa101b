import type { CompiledQuery } from 'kysely'
import { DatabaseTimeoutError } from '../errors.ts'
import type { Reader } from './Reader.ts'

/** The end of the time that one caller gives to all of its reads together. */
export class ReadDeadline {
  private readonly timeoutMs: number
  private readonly endsAt: number
  /** Set by the timer, which may be a moment before the clock. */
  private isOver = false

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
    this.endsAt = performance.now() + timeoutMs
  }

  get leftMs(): number {
    return this.isOver ? 0 : Math.max(0, this.endsAt - performance.now())
  }

  /** The outcome of a read, unless the deadline comes first. A read that others share goes on for them. */
  async wait<T>(read: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.isOver = true
        reject(this.error())
      }, this.leftMs)
    })
    try {
      return await Promise.race([read, late])
    } catch (error) {
      // The server may be the first to notice that the time is up.
      throw error instanceof DatabaseTimeoutError ? this.error() : error
    } finally {
      clearTimeout(timer)
    }
  }

  error(): DatabaseTimeoutError {
    return new DatabaseTimeoutError(`The database did not answer within ${this.timeoutMs} ms.`)
  }
}

/** The same reader for one caller with a deadline. Batching goes by the reader behind it, so that the caller still takes part. */
export const boundReader = (reader: Reader, deadline: ReadDeadline): Reader => ({
  behind: reader,
  wait: (read) => deadline.wait(read),
  read: async <Row>(query: CompiledQuery<Row>, ownMs?: number): Promise<Row[]> => {
    const { leftMs } = deadline
    if (leftMs === 0) throw deadline.error()
    return deadline.wait(reader.read(query, Math.max(1, Math.min(ownMs ?? leftMs, leftMs))))
  },
})
