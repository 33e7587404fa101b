import type { Logger } from '../observe/Logger.ts'
import type { Database } from '../store/connect/Database.ts'
import { finishTasks, type TaskEnd } from '../store/metadata/metadataTasks.ts'

export type TaskWriterOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly logger: Logger
  readonly refreshMs: number
  readonly onWritten: (end: TaskEnd) => void
}

/** Keeps how tasks ended until it is written. */
export class TaskWriter {
  readonly #options: TaskWriterOptions
  #ends: TaskEnd[] = []

  constructor(options: TaskWriterOptions) {
    this.#options = options
  }

  /** How many are not written yet. */
  get waiting(): number {
    return this.#ends.length
  }

  add(end: TaskEnd): void {
    this.#ends.push(end)
  }

  /** What cannot be written now is kept for the next time. */
  async write(): Promise<void> {
    const ends = this.#ends
    if (ends.length === 0) return
    this.#ends = []
    try {
      await this.#writeAll(ends)
    } catch (error) {
      this.#ends = [...ends, ...this.#ends]
      throw error
    }
    for (const end of ends) this.#options.onWritten(end)
  }

  async #writeAll(ends: readonly TaskEnd[]): Promise<void> {
    const { database, logger, refreshMs } = this.#options
    try {
      await database.transaction((client) => finishTasks(client, ends, refreshMs))
    } catch (error) {
      // A value that the database does not take after all must not stand in the way of the others.
      if (!isBadValue(error)) throw error
      if (ends.length > 1) {
        for (const end of ends) await this.#writeAll([end])
      } else {
        logger.error('metadata not taken by the database', { error })
        await database.transaction((client) => finishTasks(client, ends.map(withoutValues), refreshMs))
      }
    }
  }
}

/** Class 22 of the server's errors: data exceptions. */
const isBadValue = (error: unknown): boolean => /^22/.test(String((error as { code?: unknown } | undefined)?.code))

const withoutValues = ({ task, tries }: TaskEnd): TaskEnd => {
  const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: {} }
  return { kind: 'found', task, tries, metadata: { ...nothing, valid: false, error: 'It cannot be kept.' } }
}
