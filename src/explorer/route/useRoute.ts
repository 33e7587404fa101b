import { useEffect, useState } from 'preact/hooks'
import { formatRoute, parseRoute, type Route } from './Route.ts'

const listeners = new Set<() => void>()

const readRoute = (): Route => parseRoute(location.pathname, location.search)

/** Goes to another page of the explorer without loading anything anew. */
export const goTo = (route: Route): void => {
  const path = formatRoute(route)
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
