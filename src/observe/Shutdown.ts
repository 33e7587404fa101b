import type { Logger } from './Logger.ts'

/** Closes what was opened, in reverse order. There is one for the whole process. */
export interface Shutdown {
  /** Aborted when closing begins: hand it to everything that waits. */
  readonly signal: AbortSignal
  /**
   * Remembers how to close something, and how long that may take where it is longer than usual. The returned function forgets it again,
   * for what closed by itself.
   */
  add(name: string, close: () => unknown, timeoutMs?: number): () => void
  /** Closes everything. A second call waits for the first. True when all of it closed, in time and without an error. */
  close(reason: string): Promise<boolean>
}

export type ShutdownOptions = {
  readonly logger: Logger
  /** How long one thing may take to close before the rest goes on without it. */
  readonly timeoutMs: number
}

type Entry = { readonly name: string; readonly close: () => unknown; readonly timeoutMs: number }

export const createShutdown = ({ logger, timeoutMs }: ShutdownOptions): Shutdown => {
  const controller = new AbortController()
  const open: Entry[] = []
  let clean = true
  let closing: Promise<boolean> | undefined

  const closeAll = async (): Promise<boolean> => {
    // What is added while closing (a start that was under way) lands on top and is closed next.
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      clean = (await closeEntry(entry, logger)) && clean
    }
    return clean
  }

  return {
    signal: controller.signal,
    add: (name, close, ownTimeoutMs = timeoutMs) => {
      const entry = { name, close, timeoutMs: ownTimeoutMs }
      open.push(entry)
      // Closing has begun and may be past its last look at the list: go over it once more.
      if (closing !== undefined) closing = closing.then(closeAll)
      return () => {
        const at = open.indexOf(entry)
        if (at >= 0) open.splice(at, 1)
      }
    },
    close: (reason) => {
      if (closing === undefined) {
        logger.debug('closing', { reason, open: open.length })
        controller.abort(new Error(`Closing: ${reason}.`))
        closing = closeAll()
      }
      return closing
    },
  }
}

const closeEntry = async ({ name, close, timeoutMs }: Entry, logger: Logger): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error(`Close timed out after ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    await Promise.race([Promise.resolve().then(close), timeout])
    logger.debug('closed', { name })
    return true
  } catch (error) {
    logger.error('close failed', { name, error })
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** The part of `process` that is needed, so that a test can stand in for it. */
export type SignalSource = {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): unknown
}

/** Exit code of a process that a second Ctrl-C ended before it had closed everything. */
export const INTERRUPTED = 130

/**
 * On Ctrl-C or a request to terminate, closes everything and ends the process: with 0 when all closed well, else with 1.
 * On a second one ends at once. Returns a function that stops listening.
 */
export const closeOnSignals = (shutdown: Shutdown, source: SignalSource): (() => void) => {
  let asked = false
  const listen = (signal: 'SIGINT' | 'SIGTERM') => (): void => {
    if (asked) {
      source.exit(INTERRUPTED)
      return
    }
    asked = true
    void shutdown.close(signal).then((clean) => source.exit(clean ? 0 : 1))
  }
  const listeners = { SIGINT: listen('SIGINT'), SIGTERM: listen('SIGTERM') } as const
  source.on('SIGINT', listeners.SIGINT)
  source.on('SIGTERM', listeners.SIGTERM)
  return () => {
    source.off('SIGINT', listeners.SIGINT)
    source.off('SIGTERM', listeners.SIGTERM)
  }
}
