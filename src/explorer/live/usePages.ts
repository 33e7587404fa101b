import { useRef, useState } from 'preact/hooks'
import { usePolling } from './usePolling.ts'

export type Page<T> = { readonly rows: readonly T[]; readonly cursor: string | undefined }

export type Pages<T> = {
  /** `undefined` until the first page is there. */
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

/** A list that grows at both ends: new rows come in at its top by themselves, older ones at its bottom when they are asked for. */
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
  // So much is new that there may be a gap, or all of it is: it begins anew.
  if (!overlaps) return { key, rows: page.rows, cursor: page.cursor, error: undefined }
  return { key, rows: [...page.rows, ...kept], cursor, error: undefined }
}

const appendOlder = <T>(before: PageState<T>, page: Page<T>, idOf: (row: T) => string): PageState<T> => {
  const known = new Set((before.rows ?? []).map(idOf))
  const rows = [...(before.rows ?? []), ...page.rows.filter((row) => !known.has(idOf(row)))]
  return { ...before, rows, cursor: page.cursor, error: undefined }
}
