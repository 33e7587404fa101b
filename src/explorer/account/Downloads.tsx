import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../live/usePolling.ts'
import { groupDigits } from '../model/format.ts'

type DownloadsProps<T> = {
  /** The file without its ending. */
  readonly name: string
  readonly load: (cursor: string | undefined, limit: number) => Promise<Page<T>>
  readonly matches: ((row: T) => boolean) | undefined
  readonly writeCsv: (rows: readonly T[]) => Promise<string>
}

const ROWS_PER_REQUEST = 200

const formats = {
  CSV: { ending: 'csv', type: 'text/csv' },
  JSON: { ending: 'json', type: 'application/json' },
} as const

type Format = keyof typeof formats

/** Saves the list as the filters have it, page by page. */
export const Downloads = <T,>({ name, load, matches, writeCsv }: DownloadsProps<T>) => {
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<Error>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async (format: Format): Promise<void> => {
    const ending = new AbortController()
    running.current = ending
    setError(undefined)
    setCount(0)
    try {
      const { collectRows, writeJson } = await import('./exportRows.ts')
      const rows = await collectRows({
        load: (cursor) => load(cursor, ROWS_PER_REQUEST),
        matches,
        signal: ending.signal,
        onProgress: setCount,
      })
      const text = format === 'CSV' ? await writeCsv(rows) : writeJson(rows)
      offerFile(`${name}.${formats[format].ending}`, new Blob([text], { type: formats[format].type }))
    } catch (failure) {
      if (!ending.signal.aborted) setError(failure as Error)
    }
    setCount(undefined)
  }
  if (count !== undefined) {
    return (
      <>
        <span class="muted small" role="status">
          {groupDigits(count)} rows
        </span>
        <button type="button" class="button is-small" onClick={() => running.current?.abort()}>
          Cancel
        </button>
      </>
    )
  }
  return (
    <>
      {error !== undefined && (
        <span class="bad small" role="alert">
          {error.message}
        </span>
      )}
      {(Object.keys(formats) as Format[]).map((format) => (
        <button
          key={format}
          type="button"
          class="button is-small"
          title={`Download as ${format}, at most 10 000 rows`}
          onClick={() => void save(format)}
        >
          {format}
        </button>
      ))}
    </>
  )
}

const offerFile = (name: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
