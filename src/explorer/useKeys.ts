import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Route } from './route/Route.ts'
import { goTo } from './route/useRoute.ts'
import { setup } from './setup.ts'

/** After a g: where to go. */
const places: { readonly [key: string]: Route } = {
  h: { page: 'home' },
  s: { page: 'send' },
  ...(setup.hasIndex && { b: { page: 'blocks' } }),
  ...(setup.hasControls && { f: { page: 'faucet' } }),
}

export const keyHelp: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'search'],
  [['↑', '↓', '↵'], 'choose a result'],
  [['←', '→', '↑', '↓'], 'walk through a trace'],
  [['g', 'h'], 'first page'],
  ...(setup.hasIndex ? ([[['g', 'b'], 'blocks']] as const) : []),
  ...(setup.hasControls ? ([[['g', 'f'], 'faucet']] as const) : []),
  [['g', 's'], 'send a message'],
  [['t'], 'light, dark, or as the system'],
  [['?'], 'these keys'],
  [['Esc'], 'close'],
]

/** Handles keyboard shortcuts wherever the reader is not typing into a field. */
export const useKeys = (toggleHelp: () => void): void => {
  const isAfterG = useRef(false)
  const toggle = useRef(toggleHelp)
  toggle.current = toggleHelp
  // A layout effect runs before the first paint, so no key is lost between paint and effect; the listener stays for the life of the page.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.matches('input, textarea, select, [contenteditable]')) return
      const place = isAfterG.current ? places[event.key] : undefined
      isAfterG.current = event.key === 'g'
      if (place !== undefined) goTo(place)
      else if (event.key === '/') document.getElementById('search')?.focus()
      else if (event.key === '?') toggle.current()
      else if (event.key === 't') document.querySelector<HTMLButtonElement>('[data-theme-switch]')?.click()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
