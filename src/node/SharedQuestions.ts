import { encodeLiteQuery, type LiteCall, type LiteFunctionName } from '../codec/tl/liteQuery.ts'
import type { TlArguments, TlResults } from '../codec/tl/tlTypes.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { onAbort } from '../primitives/scheduling.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { RunOptions, ServerSession } from './pool/runOnServers.ts'

/** What all who ask have in common. */
type Shared = {
  readonly pool: NodePool
  readonly cache: LruCache<unknown>
  readonly underWay: Map<string, Promise<unknown>>
}

/** Questions to the pool of which each is asked once for all who want it at one time, and some are kept for good. */
export class SharedQuestions {
  private readonly shared: Shared
  private readonly session: ServerSession | undefined

  private constructor(shared: Shared, session: ServerSession | undefined) {
    this.shared = shared
    this.session = session
  }

  static over(pool: NodePool, cacheBytes: number): SharedQuestions {
    const shared = { pool, cache: new LruCache(cacheBytes), underWay: new Map() }
    return new SharedQuestions(shared, undefined)
  }

  /** The same, all asked of one server. */
  on(session: ServerSession): SharedQuestions {
    return new SharedQuestions(this.shared, session)
  }

  /** Does a piece of work on one server: the one that this is bound to, or any. */
  run<T>(work: (session: ServerSession) => Promise<T>, options?: RunOptions): Promise<T> {
    return this.session === undefined ? this.shared.pool.run(work, options) : work(this.session)
  }

  /** Asks once for all who want the same at the same time. */
  ask<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    prove: (answer: TlResults[K]) => T,
    options: RunOptions = {},
  ): Promise<T> {
    const data = encodeQuestion(kind, args)
    return this.askUnder(keyOf(data), kind, data, prove, options)
  }

  private askUnder<K extends LiteFunctionName, T>(
    question: string,
    kind: K,
    data: Uint8Array,
    prove: (answer: TlResults[K]) => T,
    { signal, ...options }: RunOptions,
  ): Promise<T> {
    const { pool, underWay } = this.shared
    const { session } = this
    session?.signal.throwIfAborted()
    const key = `${session?.index ?? options.archival ?? ''}${question}`
    let shared = underWay.get(key) as Promise<T> | undefined
    if (shared === undefined) {
      shared =
        session === undefined
          ? pool.run(async (any) => prove(await any.askEncoded(kind, data, any.signal)), options)
          : session.askEncoded(kind, data).then(prove)
      underWay.set(key, shared)
      const forget = (): void => void underWay.delete(key)
      shared.then(forget, forget)
    }
    // Work on one server is given up as a whole, so its single questions need not be.
    return signal === undefined ? shared : abandonable(shared, signal)
  }

  /** For what can never change: keeps the proven answer. */
  async askKept<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    prove: (answer: TlResults[K]) => T,
    options: RunOptions = {},
  ): Promise<T> {
    const { cache } = this.shared
    const data = encodeQuestion(kind, args)
    const key = keyOf(data)
    const kept = cache.find(key) as T | undefined
    if (kept !== undefined) return kept
    let bytes = key.length
    const value = await this.askUnder(
      key,
      kind,
      data,
      (answer) => {
        bytes += sizeOf(answer)
        return prove(answer)
      },
      options,
    )
    if (bytes > key.length) cache.set(key, value, bytes)
    return value
  }
}

const encodeQuestion = <K extends LiteFunctionName>(kind: K, args: TlArguments[K]): Uint8Array =>
  encodeLiteQuery({ call: { kind, ...args } as unknown as LiteCall })

/** Its bytes as a text, one letter each. */
const keyOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

/** What an answer takes in memory: its byte strings, and twice that again for the cells read from them. */
const sizeOf = (answer: object): number =>
  Object.values(answer).reduce(
    (sum: number, value: unknown) => sum + (value instanceof Uint8Array ? 3 * value.length : 64),
    256,
  )

const abandonable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const leave = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(leave)
  })
