import { encodeLiteQuery, type LiteCall, type LiteFunctionName } from '../codec/tl/liteQuery.ts'
import type { TlArguments, TlResults } from '../codec/tl/tlTypes.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { SingleFlight } from '../primitives/SingleFlight.ts'
import { onAbort } from '../primitives/scheduling.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { RunOptions, ServerSession } from './pool/runOnServers.ts'

/** State shared by all callers. */
type Shared = {
  readonly pool: NodePool
  readonly cache: LruCache<unknown>
  readonly underWay: SingleFlight<{ readonly result: Promise<unknown> }>
}

/** Single-flight queries to the pool, with a cache for answers that never change. */
export class SharedQueries {
  private readonly shared: Shared
  private readonly session: ServerSession | undefined

  private constructor(shared: Shared, session: ServerSession | undefined) {
    this.shared = shared
    this.session = session
  }

  static over(pool: NodePool, cacheBytes: number): SharedQueries {
    const shared = {
      pool,
      cache: new LruCache(cacheBytes),
      underWay: new SingleFlight<{ readonly result: Promise<unknown> }>(),
    }
    return new SharedQueries(shared, undefined)
  }

  /** The same, bound to one server. */
  on(session: ServerSession): SharedQueries {
    return new SharedQueries(this.shared, session)
  }

  /** Runs work on one server: the bound one, or any. */
  run<T>(work: (session: ServerSession) => Promise<T>, options?: RunOptions): Promise<T> {
    return this.session === undefined ? this.shared.pool.run(work, options) : work(this.session)
  }

  /** Sends a query; concurrent equal queries share one request. Where an answer is read in several ways, `reading` names this one. */
  query<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    options: RunOptions | undefined,
    prove: (answer: TlResults[K]) => T,
    reading = '',
  ): Promise<T> {
    const data = encodeRequest(kind, args)
    return this.queryOnce(reading + keyOf(data), kind, data, prove, options)
  }

  private queryOnce<K extends LiteFunctionName, T>(
    request: string,
    kind: K,
    data: Uint8Array,
    prove: (answer: TlResults[K]) => T,
    { signal, ...options }: RunOptions = {},
  ): Promise<T> {
    const { pool, underWay } = this.shared
    const { session } = this
    session?.throwIfEnded()
    const key = `${session?.index ?? options.archival ?? ''}${request}`
    const { work } = underWay.join(key, () => ({
      result:
        session === undefined
          ? pool.run(async (any) => prove(await any.queryEncoded(kind, data, any.signal)), options)
          : session.queryEncoded(kind, data).then(prove),
    }))
    const shared = work.result as Promise<T>
    // Work on one server is aborted as a whole, so its single requests need no signal.
    return signal === undefined ? shared : abandonable(shared, signal)
  }

  /** For answers that never change: caches the proven answer. */
  async queryCached<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    options: RunOptions | undefined,
    prove: (answer: TlResults[K]) => T,
    reading = '',
  ): Promise<T> {
    const { cache } = this.shared
    const data = encodeRequest(kind, args)
    const key = reading + keyOf(data)
    const kept = cache.find(key) as T | undefined
    if (kept !== undefined) return kept
    let bytes = key.length
    const value = await this.queryOnce(
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

const encodeRequest = <K extends LiteFunctionName>(kind: K, args: TlArguments[K]): Uint8Array =>
  encodeLiteQuery({ call: { kind, ...args } as unknown as LiteCall })

/** The bytes as a string, one character each. */
const keyOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

/** Approximate memory of an answer: its byte strings, plus twice that for the cells read from them. */
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
