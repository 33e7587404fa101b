import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, noteSeen, wait } from '../../client/callEndpoint.ts'
import type { StreamEvent, Subscription } from '../../client/streamEvents.ts'
import { type StreamServer, subscribe } from '../../client/subscribe.ts'
import { seenBlocks } from '../fetch/requests.ts'
import { learnAddresses } from '../model/addressBook.ts'
import { setup } from '../setup.ts'

/** An event; or `open`: what happened before has to be requested. */
export type StreamSignal = StreamEvent | 'open'

/** The events of a page, over one connection. */
export type Stream = {
  /** There is no connection: poll instead. */
  readonly isAway: boolean
  /** Returns a function that stops it. */
  readonly listen: (listener: (signal: StreamSignal) => void) => () => void
}

/** Blocks as they come. */
export const blockEvents: Subscription = { types: ['blocks'] }

/** For pages that wait for something to be indexed: a further block, or news of a trace. */
export const isNews = ({ type }: StreamEvent): true | undefined =>
  type === 'masterchain_head' || type === 'trace' || type === 'trace_invalidated' ? true : undefined

/** Subscribes while the page is visible. Without a subscription, or without streaming, the page polls. */
export const useStream = (subscription: Subscription | undefined): Stream => {
  const key = JSON.stringify(subscription)
  const [awayKey, setAwayKey] = useState<string>()
  const listeners = useRef(new Set<(signal: StreamSignal) => void>()).current
  useEffect(() => {
    if (key === undefined) return
    let ending = new AbortController()
    const tell = (signal: StreamSignal): void => {
      if (signal === 'open') setAwayKey(undefined)
      else {
        learnAddresses(signal)
        if ('mc_seqno' in signal) noteSeen(seenBlocks, signal.mc_seqno)
      }
      for (const listener of [...listeners]) listener(signal)
    }
    const start = (): void => {
      ending.abort()
      ending = new AbortController()
      if (!document.hidden) void follow(JSON.parse(key), ending.signal, tell, () => setAwayKey(key))
    }
    document.addEventListener('visibilitychange', start)
    start()
    return () => {
      ending.abort()
      document.removeEventListener('visibilitychange', start)
    }
  }, [key])
  const listen = useCallback<Stream['listen']>((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, [])
  return { isAway: key === undefined || awayKey === key, listen }
}

/** A proxy may hold a stream back. */
const MAX_OPENING_MS = 4000
/** Other windows may use all connections that one address may have. */
const BUSY_MS = 10_000

const server: StreamServer = {
  fetch: (...request) => fetch(...request),
  url: `${setup.base}/api/streaming/v2/sse`,
  parse: JSON.parse,
}

const follow = async (
  subscription: Subscription,
  signal: AbortSignal,
  tell: (signal: StreamSignal) => void,
  leave: () => void,
): Promise<void> => {
  const opening = setTimeout(leave, MAX_OPENING_MS)
  signal.addEventListener('abort', () => clearTimeout(opening))
  const onState = ({ state }: { readonly state: string }): void => {
    if (state === 'connecting') return
    clearTimeout(opening)
    if (state === 'open') tell('open')
    else leave()
  }
  while (!signal.aborted) {
    try {
      for await (const event of subscribe(server, subscription, { signal, onState })) tell(event)
    } catch (error) {
      if (signal.aborted) return
      leave()
      if (!(error instanceof ApiError && error.status === 429)) return
      await wait(BUSY_MS, signal).catch(() => undefined)
    }
  }
}
