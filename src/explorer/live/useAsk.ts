import { useState } from 'preact/hooks'
import { usePolling } from './usePolling.ts'

export type Asked<T> = {
  /** What was answered last; it stays while it is asked anew. */
  readonly value: T | undefined
  readonly error: Error | undefined
}

/** Asks something, and again every so often where `pollMs` says so. Another key is another question. */
export const useAsk = <T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { pollMs, isDone }: { readonly pollMs?: number | undefined; readonly isDone?: (value: T) => boolean } = {},
): Asked<T> => {
  const [asked, setAsked] = useState<Asked<T> & { readonly key: string }>({ key, value: undefined, error: undefined })
  usePolling(
    async (signal) => {
      try {
        const value = await ask(signal)
        if (signal.aborted) return false
        setAsked({ key, value, error: undefined })
        return isDone?.(value) !== true
      } catch (error) {
        if (signal.aborted) return false
        setAsked((before) => ({ key, value: before.key === key ? before.value : undefined, error: error as Error }))
        throw error
      }
    },
    pollMs,
    key,
  )
  return asked.key === key ? asked : { value: undefined, error: undefined }
}
