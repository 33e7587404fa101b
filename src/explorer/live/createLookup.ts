import { useEffect, useState } from 'preact/hooks'
import { setup } from '../setup.ts'

/** The most that one request asks for. */
const MAX_KEYS = 200

/**
 * A hook that finds a fact by its key in the index, in one request with all others that the page needs just then. `undefined` while it
 * is not known, and where there is none.
 */
export const createLookup = <T>(fetchAll: (keys: string[]) => Promise<ReadonlyMap<string, T>>) => {
  const known = new Map<string, T>()
  const listeners = new Set<() => void>()
  let wanted = new Set<string>()

  const fetchWanted = async (): Promise<void> => {
    const keys = [...wanted]
    wanted = new Set()
    try {
      for (let at = 0; at < keys.length; at += MAX_KEYS) {
        const part = keys.slice(at, at + MAX_KEYS)
        const found = await fetchAll(part)
        // What is absent may be indexed a moment later: the next one who needs it asks again.
        for (const [key, fact] of found) known.set(key, fact)
      }
    } catch {
      // The page shows what it has; the next one asks again.
    }
    for (const listener of listeners) listener()
  }

  return (key: string | undefined): T | undefined => {
    const [, redraw] = useState(0)
    useEffect(() => {
      if (!setup.hasIndex || key === undefined || known.has(key)) return
      if (wanted.size === 0) setTimeout(() => void fetchWanted())
      wanted.add(key)
      const listener = (): void => redraw((count) => count + 1)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }, [key])
    return key === undefined ? undefined : known.get(key)
  }
}
