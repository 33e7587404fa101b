import type { Logger } from '../../observe/Logger.ts'

export type KeptServer = {
  /** Whether it runs, as far as can be told without much ado. */
  readonly isRunning: () => boolean
  /** Starts it, or finds that somebody else has. */
  readonly start: (signal: AbortSignal) => Promise<void>
  readonly logger: Logger
}

const LOOK_MS = 500
const TELL_EVERY = 20

/** Looks after a server that somebody may kill: where it is gone, it is started again. The returned function ends that. */
export const keepRunning = ({ isRunning, start, logger }: KeptServer): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  let starting: Promise<void> | undefined
  let failures = 0
  const startAgain = async (): Promise<void> => {
    logger.warn('the database server is gone, it is started again')
    try {
      await start(signal)
      failures = 0
    } catch (error) {
      if (!signal.aborted && failures++ % TELL_EVERY === 0) {
        logger.error('the database server cannot be started, it is tried again', { error })
      }
    }
  }
  const timer = setInterval(() => {
    if (starting !== undefined || isRunning()) return
    starting = startAgain().finally(() => {
      starting = undefined
    })
  }, LOOK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ending.abort(new Error('The database server is not needed any more.'))
    await starting
  }
}
