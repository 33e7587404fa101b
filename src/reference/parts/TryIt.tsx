import { useState } from 'preact/hooks'
import type { Request } from '../model/Request.ts'

/** What came back. */
export type Outcome = {
  readonly status: number
  readonly durationMs: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** Sends a request of this page to the server that the page is from. */
export const send = async ({ method, path, headers, body }: Request, apiKey: string): Promise<Outcome> => {
  const begin = performance.now()
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(apiKey !== '' && { 'X-API-Key': apiKey }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    durationMs: performance.now() - begin,
    headers: [...response.headers].filter(([name]) => shownHeaders.test(name)),
    text,
  }
}

const shownHeaders = /^(x-|ratelimit|retry-after|server-timing)/

/** Longer answers are cut, since a browser takes long to show them. */
const MOST_SHOWN = 200_000

export const OutcomeView = ({ outcome }: { readonly outcome: Outcome }) => {
  const { status, durationMs, headers, text } = outcome
  const [isRaw, setRaw] = useState(false)
  const shown = isRaw ? text : pretty(text)
  return (
    <section class="ref-outcome" aria-label="Answer" aria-live="polite">
      <p>
        <span class={status < 400 ? 'ref-good' : 'ref-bad'} data-status={status}>
          {status}
        </span>{' '}
        in {durationMs.toFixed(0)} ms, {text.length} characters{' '}
        <button type="button" class="ref-link" onClick={() => setRaw(!isRaw)}>
          {isRaw ? 'indented' : 'as it came'}
        </button>
      </p>
      {headers.length > 0 && (
        <details>
          <summary>Headers</summary>
          <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
        </details>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre class="ref-answer" tabIndex={0}>
        {shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}\n… cut here` : shown}
      </pre>
    </section>
  )
}

/** Indented without being read, so that no digit of a number is lost. */
const pretty = (text: string): string => {
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  return text.replace(/"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|\s+/g, (token) => {
    if (token === '{' || token === '[') {
      depth++
      return token + line()
    }
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      return line() + token
    }
    if (token === ',') return token + line()
    if (token === ':') return ': '
    return /^\s+$/.test(token) ? '' : token
  })
}
