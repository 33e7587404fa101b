import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { StreamEvent } from '../../client/streamEvents.ts'
import { RequestError } from '../fetch/requests.ts'
import type { Stream } from './useStream.ts'

export const SECOND = 1000
const MAX_PAUSE_MS = 15_000

export type PollingOptions = {
  /** With a stream: the shortest time between two requests. */
  readonly intervalMs: number | undefined
  /** A new key starts again. */
  readonly key: string
  /** While it is connected, its events take the place of the interval. */
  readonly stream?: Stream | undefined
  /** Takes an event; `true` if it asks for a request. */
  readonly onEvent?: (event: StreamEvent) => boolean
}

/**
 * Polls while the page is visible, or when an event asks for it: never concurrently, and with backoff while it fails. Ends when `poll`
 * returns `false`.
 */
export const usePolling = (
  poll: (signal: AbortSignal) => Promise<unknown>,
  { intervalMs, key, stream, onEvent }: PollingOptions,
): void => {
  const latest = useRef({ poll, onEvent })
  latest.current = { poll, onEvent }
  const isStreamed = stream?.isAway === false
  const listen = stream?.listen
  useEffect(() => {
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let isRunning = false
    let isDone = false
    /** An event has asked for a request that waits. */
    let isDue = false
    const run = async (): Promise<void> => {
      if (isRunning || isDone || ending.signal.aborted) return
      isRunning = true
      isDue = false
      clearTimeout(timer)
      timer = undefined
      const pause = await pollOnce(latest.current.poll, ending.signal)
      isRunning = false
      isDone = pause === 'done'
      if (ending.signal.aborted || isDone || intervalMs === undefined) return
      failures = pause === 'ok' ? 0 : failures + 1
      const asked = typeof pause === 'number' ? pause : 0
      const wait = Math.max(asked, Math.min(intervalMs * 2 ** failures, MAX_PAUSE_MS))
      if (document.hidden) return
      timer = setTimeout(() => {
        timer = undefined
        if (!isStreamed || isDue || failures > 0) void run()
      }, wait)
    }
    const onVisible = (): void => {
      if (!document.hidden && intervalMs !== undefined) void run()
      else clearTimeout(timer)
    }
    const unlisten = listen?.((signal) => {
      if (signal !== 'open' && latest.current.onEvent?.(signal) !== true) return
      isDue = true
      // Now, or when the time is over that has to lie between two requests.
      if (timer === undefined || signal === 'open') void run()
    })
    document.addEventListener('visibilitychange', onVisible)
    void run()
    return () => {
      ending.abort()
      clearTimeout(timer)
      unlisten?.()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [key, intervalMs, isStreamed, listen])
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

export type RequestOptions<T> = {
  readonly pollMs?: number | undefined
  readonly isDone?: (value: T) => boolean
  readonly stream?: Stream
  /** The value after an event; `true` to request it, `undefined` if the event does not matter. */
  readonly onEvent?: (event: StreamEvent, value: T) => T | true | undefined
}

/** Runs a request, and repeats it every `pollMs`, or when an event asks for it. A new key starts a new request. */
export const useRequest = <T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { pollMs, isDone, stream, onEvent }: RequestOptions<T> = {},
): Asked<T> => {
  const [asked, setAsked] = useState<Asked<T> & { readonly key: string }>({ key, value: undefined, error: undefined })
  // Several events may come before it is rendered.
  const latest = useRef(asked)
  const set = (next: typeof asked): void => {
    latest.current = next
    setAsked(next)
  }
  const current = (): Asked<T> => (latest.current.key === key ? latest.current : { value: undefined, error: undefined })
  usePolling(
    async (signal) => {
      try {
        const value = await ask(signal)
        if (signal.aborted) return false
        set({ key, value, error: undefined })
        return isDone?.(value) !== true
      } catch (error) {
        if (signal.aborted) return false
        set({ key, value: current().value, error: error as Error })
        throw error
      }
    },
    {
      intervalMs: pollMs,
      key,
      stream,
      onEvent: (event) => {
        const { value, error } = current()
        if (value === undefined || onEvent === undefined) return onEvent !== undefined
        const next = onEvent(event, value)
        if (next !== undefined && next !== true) set({ key, value: next, error })
        return next === true
      },
    },
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

export type PagesOptions<T> = {
  readonly idOf: (row: T) => string
  readonly pollMs?: number | undefined
  readonly stream?: Stream
  /** New rows in an event, the newest first; `true` to request them. */
  readonly rowsOf?: (event: StreamEvent) => readonly T[] | true
}

/** A paged list: new rows are added at the top automatically, older ones at the bottom on demand. */
export const usePages = <T>(
  key: string,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
  { idOf, pollMs, stream, rowsOf }: PagesOptions<T>,
): Pages<T> => {
  const [state, setState] = useState<PageState<T>>({ key, rows: undefined, cursor: undefined, error: undefined })
  const [isLoading, setLoading] = useState(false)
  const latestKey = useRef(key)
  latestKey.current = key
  const latestRows = useRef(state.rows)
  latestRows.current = forKey(state, key).rows
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
    {
      intervalMs: pollMs,
      key,
      stream,
      onEvent: (event) => {
        const rows = rowsOf?.(event) ?? []
        if (rows === true) return true
        if (rows.length === 0) return false
        setState((before) => addRows(before, key, rows, idOf))
        // They are on the first page that is being requested, or on none.
        return latestRows.current === undefined
      },
    },
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

const addRows = <T>(before: PageState<T>, key: string, fresh: readonly T[], idOf: (row: T) => string): PageState<T> => {
  const { rows, ...rest } = forKey(before, key)
  if (rows === undefined) return before
  const ids = new Set(fresh.map(idOf))
  return { ...rest, rows: [...fresh, ...rows.filter((row) => !ids.has(idOf(row)))] }
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
