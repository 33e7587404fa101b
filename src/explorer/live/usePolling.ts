import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RequestError } from '../fetch/requests.ts'

export const SECOND = 1000
const MAX_PAUSE_MS = 15_000

/**
 * Polls while the page is visible: never concurrently, and with backoff while it fails. Ends when `poll` returns
 * `false`.
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
    return error instanceof RequestError ? (error.retryAfterMs ?? 0) : 0
  }
}

export type Asked<T> = {
  /** The last response; it stays while a new request runs. */
  readonly value: T | undefined
  readonly error: Error | undefined
}

/** Runs a request, and repeats it every `pollMs`. A new key starts a new request. */
export const useRequest = <T>(
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

export type Page<T> = { readonly rows: readonly T[]; readonly cursor: string | undefined }

export type Pages<T> = {
  /** `undefined` until the first page is loaded. */
  readonly rows: readonly T[] | undefined
  readonly error: Error | undefined
  readonly hasMore: boolean
  readonly isLoading: boolean
  more(): void
}

type PageState<T> = {
  readonly key: string
  readonly rows: readonly T[] | undefined
  readonly cursor: string | undefined
  readonly error: Error | undefined
}

/** A paged list: new rows are added at the top automatically, older ones at the bottom on demand. */
export const usePages = <T>(
  key: string,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
  { idOf, pollMs }: { readonly idOf: (row: T) => string; readonly pollMs?: number | undefined },
): Pages<T> => {
  const [state, setState] = useState<PageState<T>>({ key, rows: undefined, cursor: undefined, error: undefined })
  const [isLoading, setLoading] = useState(false)
  const latestKey = useRef(key)
  latestKey.current = key
  usePolling(
    async (signal) => {
      try {
        const page = await load(undefined, signal)
        if (!signal.aborted) setState((before) => mergeNewest(before, key, page, idOf))
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...forKey(before, key), error: error as Error }))
        throw error
      }
    },
    pollMs,
    key,
  )
  const shown = forKey(state, key)
  const more = async (): Promise<void> => {
    if (isLoading || shown.cursor === undefined) return
    setLoading(true)
    try {
      const page = await load(shown.cursor)
      if (latestKey.current === key) setState((before) => appendOlder(before, page, idOf))
    } catch (error) {
      setState((before) => ({ ...before, error: error as Error }))
    } finally {
      setLoading(false)
    }
  }
  return {
    rows: shown.rows,
    error: shown.error,
    hasMore: shown.cursor !== undefined,
    isLoading,
    more: () => void more(),
  }
}

const forKey = <T>(state: PageState<T>, key: string): PageState<T> =>
  state.key === key ? state : { key, rows: undefined, cursor: undefined, error: undefined }

const mergeNewest = <T>(before: PageState<T>, key: string, page: Page<T>, idOf: (row: T) => string): PageState<T> => {
  const { rows, cursor } = forKey(before, key)
  if (rows === undefined) return { key, rows: page.rows, cursor: page.cursor, error: undefined }
  const ids = new Set(page.rows.map(idOf))
  const kept = rows.filter((row) => !ids.has(idOf(row)))
  const overlaps = kept.length < rows.length
  // Too many new rows: there may be a gap, so start again.
  if (!overlaps) return { key, rows: page.rows, cursor: page.cursor, error: undefined }
  return { key, rows: [...page.rows, ...kept], cursor, error: undefined }
}

const appendOlder = <T>(before: PageState<T>, page: Page<T>, idOf: (row: T) => string): PageState<T> => {
  const known = new Set((before.rows ?? []).map(idOf))
  const rows = [...(before.rows ?? []), ...page.rows.filter((row) => !known.has(idOf(row)))]
  return { ...before, rows, cursor: page.cursor, error: undefined }
}

export type Sending = {
  readonly submit: (event: TargetedSubmitEvent<HTMLFormElement>) => void
  readonly isSending: boolean
  readonly error: Error | undefined
}

/** State of a form that sends a message, one at a time. Errors of `send` are shown. */
export const useSending = (send: (read: (name: string) => string) => Promise<void>): Sending => {
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const run = async (fields: FormData): Promise<void> => {
    setSending(true)
    setError(undefined)
    try {
      await send((name) => String(fields.get(name) ?? '').trim())
    } catch (failure) {
      setError(failure as Error)
    }
    setSending(false)
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void run(new FormData(event.currentTarget))
  }
  return { submit, isSending, error }
}
