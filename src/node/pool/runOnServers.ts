import { NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlArguments, TlResults } from '../../codec/tl/tlTypes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import type { AskOptions } from '../LiteClient.ts'
import type { PoolServer } from './PoolServer.ts'

/** One server for the length of one piece of work. */
export type ServerSession = {
  readonly name: string
  /** Its place in the pool. */
  readonly index: number
  /** Aborted when the work is no longer wanted. */
  readonly signal: AbortSignal
  ask<K extends LiteFunctionName>(kind: K, args: TlArguments[K], options?: AskOptions): Promise<TlResults[K]>
  /** Asks what is encoded already. Without a signal it goes on when the work is no longer wanted: its answer may be for others, too. */
  askEncoded<K extends LiteFunctionName>(kind: K, data: Uint8Array, signal?: AbortSignal): Promise<TlResults[K]>
}

export type RunOptions = {
  /** `only`: archival servers alone; `never`: the others alone, and no second try on an archival one. */
  readonly archival?: 'only' | 'never' | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Every refusal is taken for definite and gets one second opinion; else those that may pass are tried on every server. */
  readonly believeRefusals?: boolean | undefined
  /** Servers that have reached this masterchain block are asked first. */
  readonly minSeqno?: number | undefined
  /** False where a rival beside a slow server would cost more than the wait. */
  readonly hedge?: boolean | undefined
}

export type RunHooks = {
  /** The newest proven masterchain block: a server that has not reached it is asked later, and waits for it. */
  readonly provenSeqno: () => number
  /** A rival is started after this time; at once never. Asked only where there can be one. */
  readonly findHedgeMs: () => number | undefined
  readonly onSuccess: (server: PoolServer, ms: number) => void
  readonly onFailure: (server: PoolServer, error: CodedError) => void
}

const MIN_HEDGE_MS = 20
const DEFAULT_HEDGE_MS = 1000

/** Runs the work on one server after another, and beside a slow one on the next, until one succeeds. */
export const runOnServers = <T>(
  servers: readonly PoolServer[],
  work: (session: ServerSession) => Promise<T>,
  options: RunOptions,
  hooks: RunHooks,
): Promise<T> => {
  options.signal?.throwIfAborted()
  const tries = new Tries(servers, options, hooks)
  return options.hedge === false ? runInTurn(tries, work) : runBeside(tries, work)
}

/** The servers that are left to try, and what those said that were tried. */
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

  placeOf(server: PoolServer): number {
    return this.servers.indexOf(server)
  }

  note(server: PoolServer, error: CodedError): void {
    this.hooks.onFailure(server, error)
    this.firstError ??= error
    if (!(error instanceof NodeRefusedError)) return
    // A definite answer gets one second opinion: from an archive, which may hold what the first has dropped.
    const isDefinite = this.options.believeRefusals === true || !error.retryable
    if (isDefinite && this.firstRefusal === undefined) keepOne(this.queue, this.options.archival)
    else if (isDefinite) this.queue.length = 0
    this.firstRefusal ??= error
  }

  /** Why all of it came to nothing. */
  get failure(): CodedError {
    return this.firstRefusal ?? this.firstError ?? nobodyLeft(this.servers, this.options.archival)
  }
}

const neverAborted = new AbortController().signal

/** Without rivals the work ends when a server has ended it, and needs nothing but to be waited for. */
const runInTurn = async <T>(tries: Tries, work: (session: ServerSession) => Promise<T>): Promise<T> => {
  const { hooks, options } = tries
  const { signal = neverAborted, timeoutMs } = options
  for (let server = tries.next(); server !== undefined; server = tries.next()) {
    const start = performance.now()
    try {
      const result = await work(openSession(server, tries.placeOf(server), hooks, signal, timeoutMs))
      // Nobody wants it any more, and whoever began it is told why.
      signal.throwIfAborted()
      hooks.onSuccess(server, performance.now() - start)
      return result
    } catch (error) {
      signal.throwIfAborted()
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
      for (const attempt of attempts) attempt.abort(new NodeUnavailableError('Another server was quicker.'))
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
      begin(work, openSession(server, tries.placeOf(server), hooks, attempt.signal, options.timeoutMs)).then(
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

/** So that what it throws at once is a rejection as well. */
const begin = async <T>(work: (session: ServerSession) => Promise<T>, session: ServerSession): Promise<T> =>
  work(session)

const openSession = (
  server: PoolServer,
  index: number,
  { provenSeqno }: RunHooks,
  signal: AbortSignal,
  timeoutMs: number | undefined,
): ServerSession => {
  const { client } = server
  const wait = (): AskOptions['wait'] => findWait(server, provenSeqno())
  return {
    name: client.name,
    index,
    signal,
    ask: (kind, args, options = {}) => client.ask(kind, args, { timeoutMs, wait: wait(), ...options, signal }),
    askEncoded: (kind, data, own) => client.askEncoded(kind, data, { timeoutMs, wait: wait(), signal: own }),
  }
}

const LAG_WAIT_MS = 2000

/** Another server was quicker with the newest block: this one, in sync otherwise, has it in a moment. */
const findWait = ({ condition, head }: PoolServer, seqno: number): AskOptions['wait'] =>
  condition === 'alive' && head !== undefined && head.seqno < seqno ? { seqno, timeoutMs: LAG_WAIT_MS } : undefined

/**
 * Servers in sync first, in random order, before the others those that have reached a block; then those that are
 * behind, unreachable or aside, which may have mended.
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
    .map((server) => ({ server, place: rankOf(server) + Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ server }) => server)
}

/** Leaves the best server for a second opinion in the queue, or none where that is not wanted. */
const keepOne = (queue: PoolServer[], archival: RunOptions['archival']): void => {
  if (archival === 'never') {
    queue.length = 0
    return
  }
  const best = queue.find((server) => server.archival === true) ?? queue[0]
  queue.length = 0
  if (best !== undefined) queue.push(best)
}

/** Why nobody can be asked, server by server. */
export const nobodyLeft = (servers: readonly PoolServer[], archival: RunOptions['archival']): NodeUnavailableError => {
  if (servers.length === 0) return new NodeUnavailableError('No liteserver is configured.')
  const wanted = { only: 'archival liteserver', never: 'non-archival liteserver', any: 'liteserver' }[archival ?? 'any']
  const reasons = servers.map(
    ({ name, condition, reason }) => `${name} is ${condition}${reason === undefined ? '' : ` (${reason})`}`,
  )
  const message = `No ${wanted} can be asked: ${reasons.join('; ')}.`
  return new NodeUnavailableError(message, { archivalOnly: archival === 'only' })
}
