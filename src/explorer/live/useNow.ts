import { useEffect, useState } from 'preact/hooks'
import { SECOND } from './usePolling.ts'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The time, which moves on each second for all who show it at once. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const update = (): void => setNow(Date.now())
    listeners.add(update)
    timer ??= setInterval(() => {
      if (!document.hidden) for (const listener of listeners) listener()
    }, SECOND)
    return () => {
      listeners.delete(update)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}
