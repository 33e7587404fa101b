import { useEffect, useRef } from 'preact/hooks'
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

/** Keys that work wherever nothing is being typed. */
export const useKeys = (toggleHelp: () => void): void => {
  // The page may be drawn anew between two keys.
  const isAfterG = useRef(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.matches('input, textarea, select, [contenteditable]')) return
      const place = isAfterG.current ? places[event.key] : undefined
      isAfterG.current = event.key === 'g'
      if (place !== undefined) goTo(place)
      else if (event.key === '/') document.getElementById('search')?.focus()
      else if (event.key === '?') toggleHelp()
      else if (event.key === 't') document.querySelector<HTMLButtonElement>('[data-theme-switch]')?.click()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [toggleHelp])
}
