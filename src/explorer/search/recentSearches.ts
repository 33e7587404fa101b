import type { Suggestion } from './findSuggestions.ts'

const KEY = 'chaincenter.recent'
const MAX = 6

/** What was chosen before, the last first. It never leaves the browser. */
export const listRecent = (): readonly Suggestion[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as Suggestion[]) : []
  } catch {
    return []
  }
}

export const keepRecent = (suggestion: Suggestion): void => {
  const others = listRecent().filter(({ title, kind }) => title !== suggestion.title || kind !== suggestion.kind)
  try {
    localStorage.setItem(KEY, JSON.stringify([suggestion, ...others].slice(0, MAX)))
  } catch {
    // It then is not remembered.
  }
}
