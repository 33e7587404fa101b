import { useEffect, useRef, useState } from 'preact/hooks'
import { findSuggestions, type Suggestion } from './findSuggestions.ts'

export type Suggested = {
  readonly found: readonly Suggestion[]
  readonly isLoading: boolean
  readonly error: Error | undefined
  /** Resolves when what was typed has been looked up. */
  wait(): Promise<readonly Suggestion[]>
}

type State = Omit<Suggested, 'wait'>

const TYPING_MS = 120
const nothing: State = { found: [], isLoading: false, error: undefined }

export const useSuggestions = (text: string): Suggested => {
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
