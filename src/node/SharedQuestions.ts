import type { TlResults } from '../codec/tl/generated/functions.ts'
import type { TlArguments } from '../codec/tl/generated/objects.ts'
import { encodeLiteQuery, type LiteCall, type LiteFunctionName } from '../codec/tl/liteQuery.ts'
import { SizedCache } from '../primitives/SizedCache.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { RunOptions } from './pool/runOnServers.ts'
import { believing } from './proofs/believing.ts'

export type SharedQuestionsOptions = {
  readonly cacheBytes: number
  /** Answers are opened without their proofs being checked. */
  readonly believes: boolean
}

/** Questions to the pool of which each is asked once for all who want it at one time, and some are kept for good. */
export class SharedQuestions {
  private readonly pool: NodePool
  private readonly options: SharedQuestionsOptions
  private readonly cache: SizedCache<unknown>
  private readonly underWay = new Map<string, Promise<unknown>>()

  constructor(pool: NodePool, options: SharedQuestionsOptions) {
    this.pool = pool
    this.options = options
    this.cache = new SizedCache(options.cacheBytes)
  }

  /** Asks once for all who want the same at the same time. */
  ask<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    prove: (answer: TlResults[K]) => T,
    { signal, ...options }: RunOptions = {},
  ): Promise<T> {
    const key = keyOf(kind, args, options)
    let shared = this.underWay.get(key) as Promise<T> | undefined
    if (shared === undefined) {
      const check = this.options.believes ? (answer: TlResults[K]) => believing(() => prove(answer)) : prove
      shared = this.pool.run(async (session) => check(await session.ask(kind, args)), options)
      this.underWay.set(key, shared)
      const forget = (): void => void this.underWay.delete(key)
      shared.then(forget, forget)
    }
    return signal === undefined ? shared : abandonable(shared, signal)
  }

  /** For what can never change: keeps the proven answer. */
  async askKept<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    prove: (answer: TlResults[K]) => T,
    options: RunOptions = {},
  ): Promise<T> {
    const key = keyOf(kind, args, {})
    const kept = this.cache.find(key) as T | undefined
    if (kept !== undefined) return kept
    let bytes = key.length
    const value = await this.ask(
      kind,
      args,
      (answer) => {
        bytes += sizeOf(answer)
        return prove(answer)
      },
      options,
    )
    if (bytes > key.length) this.cache.set(key, value, bytes)
    return value
  }
}

const keyOf = <K extends LiteFunctionName>(kind: K, args: TlArguments[K], { archival }: RunOptions): string => {
  const call = { kind, ...args } as unknown as LiteCall
  return `${archival ?? ''}${Buffer.from(encodeLiteQuery({ call })).toString('latin1')}`
}

/** What an answer takes in memory: its byte strings, and twice that again for the cells read from them. */
const sizeOf = (answer: object): number =>
  Object.values(answer).reduce(
    (sum: number, value: unknown) => sum + (value instanceof Uint8Array ? 3 * value.length : 64),
    256,
  )

const abandonable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const done = (): void => signal.removeEventListener('abort', onAbort)
    work.then(resolve, reject).finally(done)
  })
