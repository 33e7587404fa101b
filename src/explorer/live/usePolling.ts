import { useEffect, useRef } from 'preact/hooks'
import { AskError } from '../fetch/AskError.ts'

export const SECOND = 1000
const MAX_PAUSE_MS = 15_000

/**
 * Does something now and again and again, while the page is seen: never twice at a time, and less often while it fails. It ends when
 * `poll` says so by `false`.
 */
export const usePolling = (
  poll: (signal: AbortSignal) => Promise<unknown>,
  intervalMs: number | undefined,
  key: string,
): void => {
  const latest = useRef(poll)
  latest.current = poll
  useEffect(() => {
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let isRunning = false
    const run = async (): Promise<void> => {
      if (isRunning || ending.signal.aborted) return
      isRunning = true
      clearTimeout(timer)
      const pause = await pollOnce(latest.current, ending.signal)
      isRunning = false
      if (ending.signal.aborted || pause === 'done' || intervalMs === undefined) return
      failures = pause === 'ok' ? 0 : failures + 1
      const asked = typeof pause === 'number' ? pause : 0
      const wait = Math.max(asked, Math.min(intervalMs * 2 ** failures, MAX_PAUSE_MS))
      if (!document.hidden) timer = setTimeout(() => void run(), wait)
    }
    const onVisible = (): void => {
      if (!document.hidden && intervalMs !== undefined) void run()
      else clearTimeout(timer)
    }
    document.addEventListener('visibilitychange', onVisible)
    void run()
    return () => {
      ending.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [key, intervalMs])
}

const pollOnce = async (
  poll: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<'ok' | 'done' | number> => {
  try {
    return (await poll(signal)) === false ? 'done' : 'ok'
  } catch (error) {
    return error instanceof AskError ? (error.retryAfterMs ?? 0) : 0
  }
}
