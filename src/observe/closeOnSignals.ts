import type { Shutdown } from './Shutdown.ts'

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
