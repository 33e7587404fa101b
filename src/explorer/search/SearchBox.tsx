import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/basics.tsx'
import { goTo } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { findSuggestions, type Suggestion } from './findSuggestions.ts'

const KEY = 'chaincenter.recent'
const MAX = 6

/** What was chosen before, the last first. It never leaves the browser. */
const listRecent = (): readonly Suggestion[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as Suggestion[]) : []
  } catch {
    return []
  }
}

const keepRecent = (suggestion: Suggestion): void => {
  const others = listRecent().filter(({ title, kind }) => title !== suggestion.title || kind !== suggestion.kind)
  try {
    localStorage.setItem(KEY, JSON.stringify([suggestion, ...others].slice(0, MAX)))
  } catch {
    // It then is not remembered.
  }
}

type Suggested = {
  readonly found: readonly Suggestion[]
  readonly isLoading: boolean
  readonly error: Error | undefined
  /** Resolves when what was typed has been looked up. */
  wait(): Promise<readonly Suggestion[]>
}

type State = Omit<Suggested, 'wait'>

const TYPING_MS = 120
const nothing: State = { found: [], isLoading: false, error: undefined }

const useSuggestions = (text: string): Suggested => {
  const [state, setState] = useState<State>(nothing)
  const looking = useRef<Promise<readonly Suggestion[]>>(Promise.resolve([]))
  useEffect(() => {
    if (text.trim() === '') return setState(nothing)
    const ending = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    const look = async (): Promise<readonly Suggestion[]> => {
      await new Promise((done) => setTimeout(done, TYPING_MS))
      if (ending.signal.aborted) return []
      try {
        const found = await findSuggestions(text, ending.signal)
        if (!ending.signal.aborted) setState({ found, isLoading: false, error: undefined })
        return found
      } catch (error) {
        if (!ending.signal.aborted) setState({ found: [], isLoading: false, error: error as Error })
        return []
      }
    }
    looking.current = look()
    return () => ending.abort()
  }, [text])
  return { ...state, wait: () => looking.current }
}

/** The search box with suggestions. */
export const SearchBox = () => {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const suggested = useSuggestions(text)
  const shown = text.trim() === '' ? listRecent() : suggested.found
  useEffect(() => setActive(0), [text])
  useEffect(() => {
    const leave = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [])
  const choose = (suggestion: Suggestion | undefined): void => {
    if (suggestion === undefined) return
    keepRecent(suggestion)
    setOpen(false)
    setText('')
    box.current?.querySelector('input')?.blur()
    goTo(suggestion.to)
  }
  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') {
      setOpen(false)
      event.currentTarget.blur()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setOpen(true)
      setActive((shown.length + active + step) % Math.max(1, shown.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // If Enter comes before the results, open the first one when it arrives.
      if (suggested.isLoading) void suggested.wait().then((found) => choose(found[0]))
      else choose(shown[active])
    }
  }
  return (
    <div class="search" ref={box}>
      <Icon name="search" />
      <input
        id="search"
        type="search"
        {...describeBox(isOpen, shown[active] === undefined ? undefined : active)}
        aria-label="Search"
        autocomplete="off"
        spellcheck={false}
        placeholder={setup.hasIndex ? 'Address, hash, block, token or name' : 'Address or block'}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKey}
      />
      <kbd class="search-key">/</kbd>
      {isOpen && (text.trim() !== '' || shown.length > 0) && (
        <Results text={text} shown={shown} suggested={suggested} active={active} choose={choose} />
      )}
    </div>
  )
}

/** ARIA combobox attributes. */
const describeBox = (isOpen: boolean, active: number | undefined) =>
  ({
    role: 'combobox',
    list: undefined,
    'aria-autocomplete': 'list',
    'aria-expanded': isOpen,
    'aria-controls': 'search-results',
    'aria-activedescendant': isOpen && active !== undefined ? `result-${active}` : undefined,
  }) as const

type ResultsProps = {
  readonly text: string
  readonly shown: readonly Suggestion[]
  readonly suggested: Suggested
  readonly active: number
  choose(suggestion: Suggestion): void
}

const Results = ({ text, shown, suggested, active, choose }: ResultsProps) => (
  <div class="results" id="search-results" role="listbox" aria-label="Results" tabIndex={-1}>
    {text.trim() === '' && <p class="results-title">Recent</p>}
    {shown.map((suggestion, index) => (
      <button
        type="button"
        key={suggestion.kind + suggestion.title + suggestion.detail}
        id={`result-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        class="result"
        onClick={() => choose(suggestion)}
      >
        <Icon name={suggestion.icon} />
        <span class="result-kind">{suggestion.kind}</span>
        <span class="result-title mono">{suggestion.title}</span>
        <span class="result-detail">{suggestion.detail}</span>
      </button>
    ))}
    {shown.length === 0 && <p class="results-empty">{explain(suggested)}</p>}
  </div>
)

const explain = ({ isLoading, error }: Suggested): string => {
  if (isLoading) return 'Looking…'
  if (error !== undefined) return error.message
  if (!setup.hasIndex) return 'Nothing found. Without an index, search supports addresses and blocks only.'
  return 'Nothing found. Search for an address in any form, a hash in hex or base64, a block seqno or (-1,8000000000000000,17), a domain, a token name or symbol, or the beginning of a recent comment.'
}
