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

const listeners = new Set<(position: DebuggerPosition) => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Browsers limit how often an address changes: while a key is held down, it is written once at the end. */
const WRITE_MS = 250

/** Sets the position, and writes it into the address: a step is no entry of the history. */
export const setPosition = (position: DebuggerPosition): void => {
  const { isOpen, step } = position
  const page = location.pathname + location.search
  const write = (): void => {
    if (page !== location.pathname + location.search) return
    history.replaceState(null, '', page + (!isOpen ? '' : step === undefined ? '#debugger' : `#step=${step}`))
  }
  clearTimeout(timer)
  if (step === undefined) write()
  else timer = setTimeout(write, WRITE_MS)
  for (const listener of listeners) listener(position)
}

export const usePosition = (): DebuggerPosition => {
  const [position, update] = useState(readPosition)
  useEffect(() => {
    const read = (): void => update(readPosition())
    listeners.add(update)
    addEventListener('hashchange', read)
    return () => {
      listeners.delete(update)
      removeEventListener('hashchange', read)
    }
  }, [])
  return position
}
