import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import { pause } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { Lease } from '../../store/lease/Lease.ts'
import { classifyBlocks } from './classifyBlocks.ts'

export type ClassifierOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly lease: Pick<Lease, 'guard'>
  readonly logger: Logger
  /** Ends when nothing waits any more, instead of waiting for more. */
  readonly untilDone?: boolean
}

const MAX_BLOCKS = 32
const IDLE_MS = 100
const RETRY_MS = 1000

/** Classifies what waits for it, the newest first. What cannot be done now is tried again: nothing is lost by waiting. */
export class Classifier {
  /** Matches that were dropped, by pattern, and traces that failed as a whole. */
  readonly dropped = new Map<string, number>()
  traces = 0
  actions = 0
  readonly #options: ClassifierOptions

  constructor(options: ClassifierOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const { logger, untilDone = false } = this.#options
    while (!signal.aborted) {
      try {
        const { blocks } = await this.#step(signal)
        if (blocks > 0) continue
        if (untilDone) return
        await pause(IDLE_MS, signal)
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof CodedError) || !error.retryable) throw error
        logger.warn('traces cannot be classified now', { error })
        await pause(RETRY_MS, signal).catch(() => undefined)
      }
    }
  }

  async #step(signal: AbortSignal): Promise<{ readonly blocks: number }> {
    const { database, lease } = this.#options
    const done = await database.transaction(
      (client) =>
        classifyBlocks(client, {
          lease,
          maxBlocks: MAX_BLOCKS,
          onFault: (matcher) => {
            const name = matcher?.name ?? 'trace'
            this.dropped.set(name, (this.dropped.get(name) ?? 0) + 1)
          },
        }),
      signal,
    )
    this.traces += done.traces
    this.actions += done.actions
    return done
  }
}
