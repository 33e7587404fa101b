import { NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlArguments, TlResults } from '../../codec/tl/tlTypes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import type { QueryOptions } from '../LiteClient.ts'
import type { PoolServer } from './PoolServer.ts'

/** One server for the duration of some work. */
export type ServerSession = {
  readonly name: string
  /** Its index in the pool. */
  readonly index: number
  /** Aborted when the work is cancelled. Made on first use where that saves something: most work needs only `throwIfEnded`. */
  readonly signal: AbortSignal
  /** Throws if the work is cancelled. */
  throwIfEnded(): void
  query<K extends LiteFunctionName>(kind: K, args: TlArguments[K], options?: QueryOptions): Promise<TlResults[K]>
  /** Sends an encoded query. Without a signal it continues when the work is cancelled: others may share its answer. */
  queryEncoded<K extends LiteFunctionName>(kind: K, data: Uint8Array, signal?: AbortSignal): Promise<TlResults[K]>
}

export type RunOptions = {
  /** `only`: archival servers only; `never`: non-archival servers only, without a retry on an archival one. */
  readonly archival?: 'only' | 'never' | undefined
  readonly signal?: AbortSignal | undefined
  /** Says whether the signal is aborted, for callers who make their signal on first use. */
  readonly isEnded?: (() => boolean) | undefined
  readonly timeoutMs?: number | undefined
  /** Treats every refusal as final after one second opinion; otherwise retryable refusals are retried on every server. */
  readonly believeRefusals?: boolean | undefined
  /** Prefers servers that have reached this masterchain block. */
  readonly minSeqno?: number | undefined
  /** False to disable hedged requests, where a second run would cost more than the wait. */
  readonly hedge?: boolean | undefined
}

export type RunHooks = {
  /** The newest proven masterchain block: servers that have not reached it rank lower and wait for it. */
  readonly provenSeqno: () => number
  /** Delay before a hedged request; read only if there is another server. */
  readonly findHedgeMs: () => number | undefined
  readonly onSuccess: (server: PoolServer, ms: number) => void
  readonly onFailure: (server: PoolServer, error: CodedError) => void
}

const MIN_HEDGE_MS = 20
const DEFAULT_HEDGE_MS = 1000

/** Runs the work on one server after another, and hedges a slow one with the next, until one succeeds. */
export const runOnServers = <T>(
  servers: readonly PoolServer[],
  work: (session: ServerSession) => Promise<T>,
  options: RunOptions,
  hooks: RunHooks,
): Promise<T> => {
  throwIfEnded(options)
  const tries = new Tries(servers, options, hooks)
  return options.hedge === false ? runInTurn(tries, work) : runBeside(tries, work)
}

/** The remaining servers, and the errors of those tried. */
class Tries {
  readonly options: RunOptions
  readonly hooks: RunHooks
  private readonly servers: readonly PoolServer[]
  private readonly queue: PoolServer[]
  private firstRefusal: NodeRefusedError | undefined
  private firstError: CodedError | undefined

  constructor(servers: readonly PoolServer[], options: RunOptions, hooks: RunHooks) {
    this.servers = servers
    this.options = options
    this.hooks = hooks
    this.queue = orderServers(servers, options.archival, Math.max(hooks.provenSeqno(), options.minSeqno ?? 0))
  }

  get hasNext(): boolean {
    return this.queue.length > 0
  }

  next(): PoolServer | undefined {
    return this.queue.shift()
  }

  indexOf(server: PoolServer): number {
    return this.servers.indexOf(server)
  }

  note(server: PoolServer, error: CodedError): void {
    this.hooks.onFailure(server, error)
    this.firstError ??= error
    if (!(error instanceof NodeRefusedError)) return
    // A final refusal gets one second opinion: from an archive, which may have what the first has pruned.
    const isDefinite = this.options.believeRefusals === true || !error.retryable
    if (isDefinite && this.firstRefusal === undefined) keepOne(this.queue, this.options.archival)
    else if (isDefinite) this.queue.length = 0
    this.firstRefusal ??= error
  }

  /** The error when all servers failed. */
  get failure(): CodedError {
    return this.firstRefusal ?? this.firstError ?? noServerLeft(this.servers, this.options.archival)
  }
}

const neverAborted = new AbortController().signal

const throwIfEnded = (options: RunOptions): void => {
  if (options.isEnded === undefined || options.isEnded()) options.signal?.throwIfAborted()
}

/** Without hedging: one server at a time, no abort controllers. */
const runInTurn = async <T>(tries: Tries, work: (session: ServerSession) => Promise<T>): Promise<T> => {
  const { hooks, options } = tries
  for (let server = tries.next(); server !== undefined; server = tries.next()) {
    const start = performance.now()
    try {
      const result = await work(new PoolSession(server, tries.indexOf(server), hooks, options))
      // The caller has aborted: reject with its reason.
      throwIfEnded(options)
      hooks.onSuccess(server, performance.now() - start)
      return result
    } catch (error) {
      throwIfEnded(options)
      if (!(error instanceof CodedError)) throw error
      tries.note(server, error)
    }
  }
  throw tries.failure
}

const runBeside = <T>(tries: Tries, work: (session: ServerSession) => Promise<T>): Promise<T> => {
  const { hooks, options } = tries
  const { signal } = options
  const attempts = new Set<AbortController>()
  return new Promise<T>((resolve, reject) => {
    let isOver = false
    let hedge: NodeJS.Timeout | undefined
    const finish = (end: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(hedge)
      leave?.()
      for (const attempt of attempts) attempt.abort(new NodeUnavailableError('Another liteserver answered first.'))
      end()
    }
    const leave = signal && onAbort(signal, () => finish(() => reject(signal.reason)))

    const startNext = (): void => {
      if (isOver) return
      clearTimeout(hedge)
      const server = tries.next()
      if (server === undefined) {
        if (attempts.size === 0) finish(() => reject(tries.failure))
        return
      }
      const attempt = new AbortController()
      attempts.add(attempt)
      const start = performance.now()
      if (tries.hasNext) {
        hedge = setTimeout(startNext, Math.max(MIN_HEDGE_MS, hooks.findHedgeMs() ?? DEFAULT_HEDGE_MS))
      }
      const { timeoutMs } = options
      begin(work, new PoolSession(server, tries.indexOf(server), hooks, { signal: attempt.signal, timeoutMs })).then(
        (result) => {
          hooks.onSuccess(server, performance.now() - start)
          attempts.delete(attempt)
          finish(() => resolve(result))
        },
        (error: unknown) => {
          attempts.delete(attempt)
          if (isOver) return
          if (!(error instanceof CodedError)) {
            finish(() => reject(error))
            return
          }
          tries.note(server, error)
          startNext()
        },
      )
    }
    startNext()
  })
}

/** Turns a synchronous throw into a rejection. */
const begin = async <T>(work: (session: ServerSession) => Promise<T>, session: ServerSession): Promise<T> =>
  work(session)

/** A server for queries whose refusal says nothing about the server. */
export const openSession = (
  servers: readonly PoolServer[],
  server: PoolServer,
  hooks: RunHooks,
  options: RunOptions,
): ServerSession => new PoolSession(server, servers.indexOf(server), hooks, options)

// A class, for its getter: see HttpCall.
class PoolSession implements ServerSession {
  readonly index: number
  private readonly server: PoolServer
  private readonly hooks: RunHooks
  private readonly options: RunOptions

  constructor(server: PoolServer, index: number, hooks: RunHooks, options: RunOptions) {
    this.server = server
    this.index = index
    this.hooks = hooks
    this.options = options
  }

  get name(): string {
    return this.server.name
  }

  get signal(): AbortSignal {
    return this.options.signal ?? neverAborted
  }

  throwIfEnded(): void {
    throwIfEnded(this.options)
  }

  query<K extends LiteFunctionName>(kind: K, args: TlArguments[K], options: QueryOptions = {}): Promise<TlResults[K]> {
    const { timeoutMs } = this.options
    return this.server.client.query(kind, args, { timeoutMs, wait: this.findWait(), ...options, signal: this.signal })
  }

  queryEncoded<K extends LiteFunctionName>(kind: K, data: Uint8Array, signal?: AbortSignal): Promise<TlResults[K]> {
    const { timeoutMs } = this.options
    return this.server.client.queryEncoded(kind, data, { timeoutMs, wait: this.findWait(), signal })
  }

  private findWait(): QueryOptions['wait'] {
    return findWait(this.server, this.hooks.provenSeqno())
  }
}

const LAG_WAIT_MS = 2000

/** A server in sync that has not seen the newest block yet waits for it. */
const findWait = ({ condition, head }: PoolServer, seqno: number): QueryOptions['wait'] =>
  condition === 'alive' && head !== undefined && head.seqno < seqno ? { seqno, timeoutMs: LAG_WAIT_MS } : undefined

/**
 * Servers in sync first, in random order, those that have reached `minSeqno` before the others; then those that are
 * behind, unreachable or suspended, which may have recovered.
 */
export const orderServers = (
  servers: readonly PoolServer[],
  archival: RunOptions['archival'],
  minSeqno: number,
): PoolServer[] => {
  const ranks = { alive: 1, unknown: 2, behind: 3, dead: 4, aside: 5, foreign: 6 } as const
  const rankOf = ({ condition, head }: PoolServer): number =>
    condition === 'alive' && head !== undefined && head.seqno >= minSeqno ? 0 : ranks[condition]
  const fits = ({ condition, archival: isArchival }: PoolServer): boolean =>
    condition !== 'foreign' && (archival === undefined || (archival === 'only') === (isArchival === true))
  const fitting = servers.filter(fits)
  if (fitting.length < 2) return fitting
  return fitting
    .map((server) => ({ server, rank: rankOf(server) + Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ server }) => server)
}

/** Leaves the best server for a second opinion in the queue, or none. */
const keepOne = (queue: PoolServer[], archival: RunOptions['archival']): void => {
  if (archival === 'never') {
    queue.length = 0
    return
  }
  const best = queue.find((server) => server.archival === true) ?? queue[0]
  queue.length = 0
  if (best !== undefined) queue.push(best)
}

/** Why no server is available, server by server. */
export const noServerLeft = (
  servers: readonly PoolServer[],
  archival: RunOptions['archival'],
): NodeUnavailableError => {
  if (servers.length === 0) return new NodeUnavailableError('No liteserver is configured.')
  const wanted = { only: 'archival liteserver', never: 'non-archival liteserver', any: 'liteserver' }[archival ?? 'any']
  const reasons = servers.map(
    ({ name, condition, reason }) => `${name} is ${condition}${reason === undefined ? '' : ` (${reason})`}`,
  )
  const message = `No ${wanted} is available: ${reasons.join('; ')}.`
  return new NodeUnavailableError(message, { archivalOnly: archival === 'only' })
}
