import type { ComponentChildren, TargetedMouseEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { setup } from '../setup.ts'
import { formatRoute, parseRoute, type Route } from './Route.ts'

const listeners = new Set<() => void>()

const readRoute = (): Route => parseRoute(location.pathname.slice(setup.base.length) || '/', location.search)

/** Navigates to another page without a reload. */
export const goTo = (route: Route): void => {
  const path = setup.base + formatRoute(route)
  if (path !== location.pathname + location.search) history.pushState(null, '', path)
  for (const listener of listeners) listener()
  scrollTo(0, 0)
}

export const useRoute = (): Route => {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const update = (): void => setRoute(readRoute())
    listeners.add(update)
    addEventListener('popstate', update)
    return () => {
      listeners.delete(update)
      removeEventListener('popstate', update)
    }
  }, [])
  return route
}

/** Values of the query string by name. An `undefined` or empty one is removed. */
export type QueryChanges = { readonly [name: string]: string | undefined }

/**
 * What a page keeps in the query string, so that every view is a permalink: tabs as steps of the history, filters in the place of the
 * current address.
 */
export const useQuery = (): readonly [
  query: URLSearchParams,
  change: (changes: QueryChanges, step?: 'push' | 'replace') => void,
] => {
  useRoute()
  return [new URLSearchParams(location.search), changeQuery]
}

const changeQuery = (changes: QueryChanges, step: 'push' | 'replace' = 'push'): void => {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  const url = `${location.pathname}${text === '' ? '' : `?${text}`}${location.hash}`
  if (step === 'push') history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  for (const listener of listeners) listener()
}

type LinkProps = {
  readonly to: Route
  readonly class?: string | undefined
  readonly title?: string | undefined
  readonly label?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

export const Link = ({ to, class: className, title, label, isCurrent = false, children }: LinkProps) => {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>): void => {
    // Let the browser open new tabs and windows.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a
      href={setup.base + formatRoute(to)}
      class={className}
      title={title}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
