import { ApiError, toApiError, wait } from './callEndpoint.ts'
import { SseParser } from './sse.ts'
import type { EventType, StreamEvent, Subscription } from './streamEvents.ts'

/** What happens to the connection of a stream. */
export type StreamState =
  | { readonly state: 'connecting'; readonly lastEventId: string | undefined }
  | { readonly state: 'open' }
  /** The connection ended, or could not be made; the next one follows after the delay. */
  | { readonly state: 'waiting'; readonly delayMs: number; readonly error: ApiError | undefined }

export type StreamOptions = {
  /** Ends the stream: the iterator throws its reason. */
  readonly signal?: AbortSignal | undefined
  readonly onState?: ((state: StreamState) => void) | undefined
}

/** Events as they come. Reads from the connection only while the consumer asks for events. */
export interface EventStream<T extends EventType = EventType> extends AsyncIterableIterator<StreamEvent<T>> {
  /** Where the next connection, or another stream by `since`, continues. */
  readonly lastEventId: string | undefined
  /** Closes the connection, also while `next` is waiting. */
  return(): Promise<IteratorResult<StreamEvent<T>>>
  [Symbol.asyncIterator](): EventStream<T>
}

export type StreamServer = {
  readonly fetch: typeof fetch
  /** Of the endpoint. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** Parses JSON. */
  readonly parse: (text: string) => unknown
}

/**
 * Subscribes to events. A broken connection is made again, with growing delays, and continues after the last event, so that no finalized
 * event is missing or comes twice.
 */
export const subscribe = <T extends EventType>(
  server: StreamServer,
  subscription: Subscription<T>,
  { signal, onState }: StreamOptions = {},
): EventStream<T> => {
  const connection = new Connection(server, subscription, onState)
  const events = connection.run(signal)
  const stream = {
    get lastEventId() {
      return connection.lastEventId
    },
    next: () => events.next(),
    return: () => {
      connection.close()
      return events.return(undefined)
    },
    [Symbol.asyncIterator]: () => stream,
  }
  return stream as unknown as EventStream<T>
}

const ENDPOINT = 'streaming/v2/sse'
/** The server sends something every 15 seconds. */
const SILENCE_MS = 45_000
const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000
/** Another replica may be behind the one that was asked before. */
const MAX_AHEAD = 8

class Connection {
  lastEventId: string | undefined
  readonly #server: StreamServer
  readonly #body: string
  readonly #onState: StreamOptions['onState']
  readonly #closing = new AbortController()
  #delayMs = FIRST_DELAY_MS
  #failures = 0
  #hasBeenOpen = false
  #isComplete = false

  constructor(server: StreamServer, subscription: object, onState: StreamOptions['onState']) {
    this.#server = server
    this.#body = JSON.stringify({ extended: true, ...subscription })
    this.#onState = onState
  }

  close(): void {
    this.#closing.abort()
  }

  async *run(signal: AbortSignal | undefined): AsyncGenerator<unknown, undefined, undefined> {
    const close = (): void => this.close()
    signal?.addEventListener('abort', close, { once: true })
    if (signal?.aborted === true) close()
    try {
      while (!this.#closing.signal.aborted) {
        let error: ApiError | undefined
        try {
          yield* this.#read()
        } catch (failure) {
          if (this.#closing.signal.aborted) break
          if (!this.#isTemporary(failure)) throw failure
          error = failure
        }
        if (this.#isComplete || this.#closing.signal.aborted) break
        const delayMs = this.#nextDelay(error)
        this.#onState?.({ state: 'waiting', delayMs, error })
        // Closing ends the wait.
        await wait(delayMs, this.#closing.signal).catch(() => undefined)
      }
    } finally {
      signal?.removeEventListener('abort', close)
    }
    if (signal?.aborted === true) throw signal.reason
    return undefined
  }

  /** The events of one connection. */
  async *#read(): AsyncGenerator<unknown, void, undefined> {
    const ending = new AbortController()
    const end = (): void => ending.abort()
    this.#closing.signal.addEventListener('abort', end, { once: true })
    try {
      this.#onState?.({ state: 'connecting', lastEventId: this.lastEventId })
      const response = await this.#within(ending, this.#connect(ending.signal))
      const reader = response.body!.getReader()
      const parser = new SseParser()
      for (;;) {
        const { done, value } = await this.#within(ending, reader.read())
        if (done) return
        for (const { event, data, id, retryMs } of parser.push(value)) {
          if (retryMs !== undefined) this.#delayMs = retryMs
          if (id !== undefined) this.lastEventId = id
          if (event === 'connected') this.#opened()
          else if (event === 'event' && data !== undefined) yield this.#server.parse(data)
          this.#isComplete ||= event === 'completed'
          if (this.#isComplete || ending.signal.aborted) return
        }
      }
    } finally {
      this.#closing.signal.removeEventListener('abort', end)
      // Closes the socket, whether the consumer has left or the server is silent.
      ending.abort()
    }
  }

  #opened(): void {
    this.#hasBeenOpen = true
    this.#failures = 0
    this.#onState?.({ state: 'open' })
  }

  async #connect(signal: AbortSignal): Promise<Response> {
    const { fetch, url, apiKey } = this.#server
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        ...(this.lastEventId !== undefined && { 'last-event-id': this.lastEventId }),
      },
      body: this.#body,
      signal,
    })
    if (!response.ok) throw toApiError(ENDPOINT, response, await response.text())
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true || response.body === null) {
      const message = `${url} does not answer with an event stream.`
      throw new ApiError({ endpoint: ENDPOINT, status: response.status, code: 'bad_answer', message })
    }
    return response
  }

  /** Waits for something of the connection; a long silence ends it. */
  async #within<V>(ending: AbortController, work: Promise<V>): Promise<V> {
    let isSilent = false
    const timer = setTimeout(() => {
      isSilent = true
      ending.abort()
    }, SILENCE_MS)
    try {
      return await work
    } catch (cause) {
      if (cause instanceof ApiError) throw cause
      const [code, said] = isSilent
        ? (['timeout', `was silent for ${SILENCE_MS} ms`] as const)
        : (['unreachable', 'is unreachable, or the connection broke'] as const)
      throw new ApiError({ endpoint: ENDPOINT, code, message: `${this.#server.url} ${said}.`, cause })
    } finally {
      clearTimeout(timer)
    }
  }

  #isTemporary(error: unknown): error is ApiError {
    if (!(error instanceof ApiError) || error.code === 'bad_answer') return false
    if (error.status === 0 || error.status >= 500 || error.status === 408) return true
    // What was granted before is granted again, but perhaps not at once.
    if (error.status === 429) return this.#hasBeenOpen
    return error.status === 400 && this.#hasBeenOpen && /is ahead of/.test(error.message) && this.#failures < MAX_AHEAD
  }

  /** Random, so that the clients of a restarted server do not all come back at once. */
  #nextDelay(error: ApiError | undefined): number {
    const most = Math.min(this.#delayMs * 2 ** this.#failures++, MAX_DELAY_MS)
    return Math.round(Math.max(Math.random() * most, 1000 * (error?.retryAfter ?? 0)))
  }
}
