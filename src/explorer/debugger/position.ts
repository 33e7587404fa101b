import { useEffect, useState } from 'preact/hooks'

/** Where the reader is: `#debugger`, or `#step=12`, which can be shared. */
export type DebuggerPosition = { readonly isOpen: boolean; readonly step: number | undefined }

const readPosition = (): DebuggerPosition => {
  const [, digits] = /^#step=(\d{1,9})$/.exec(location.hash) ?? []
  return {
    isOpen: digits !== undefined || location.hash === '#debugger',
    step: digits === undefined ? undefined : Number(digits),
  }
}

const listeners = new Set<() => void>()

/** Replaces the position in the address: a step is no entry of the history. */
export const setPosition = ({ isOpen, step }: DebuggerPosition): void => {
  const fragment = !isOpen ? '' : step === undefined ? '#debugger' : `#step=${step}`
  if (fragment === location.hash) return
  history.replaceState(null, '', location.pathname + location.search + fragment)
  for (const listener of listeners) listener()
}

export const usePosition = (): DebuggerPosition => {
  const [position, update] = useState(readPosition)
  useEffect(() => {
    const read = (): void => update(readPosition())
    listeners.add(read)
    addEventListener('hashchange', read)
    return () => {
      listeners.delete(read)
      removeEventListener('hashchange', read)
    }
  }, [])
  return position
}
