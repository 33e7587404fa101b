import { NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { TlResults } from '../../codec/tl/generated/functions.ts'
import type { TlArguments } from '../../codec/tl/generated/objects.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import { CodedError } from '../../primitives/CodedError.ts'
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
  /** As `ask`, but goes on when the work is no longer wanted, since the answer is for others too. */
  askToTheEnd<K extends LiteFunctionName>(kind: K, args: TlArguments[K]): Promise<TlResults[K]>
}

export type RunOptions = {
  /** `only`: archival servers alone; `never`: the others alone, and no second try on an archival one. */
  readonly archival?: 'only' | 'never' | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Every refusal is taken for definite and gets one second opinion; else those that may pass are tried on every server. */
  readonly believeRefusals?: boolean | undefined
  /** False where a rival beside a slow server would cost more than the wait. */
  readonly hedge?: boolean | undefined
}

export type RunHooks = {
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
  const { signal } = options
  signal?.throwIfAborted()
  const queue = orderServers(servers, options.archival)
  const attempts = new Set<Attempt>()
  let firstRefusal: NodeRefusedError | undefined
  let firstError: CodedError | undefined

  return new Promise<T>((resolve, reject) => {
    let isOver = false
    let hedge: NodeJS.Timeout | undefined
    const finish = (end: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(hedge)
      signal?.removeEventListener('abort', onAbort)
      for (const attempt of attempts) attempt.abort()
      end()
    }
    const onAbort = (): void => finish(() => reject(signal?.reason))
    signal?.addEventListener('abort', onAbort, { once: true })

    const startNext = (): void => {
      if (isOver) return
      clearTimeout(hedge)
      const server = queue.shift()
      if (server === undefined) {
        if (attempts.size === 0)
          finish(() => reject(firstRefusal ?? firstError ?? nobodyLeft(servers, options.archival)))
        return
      }
      const attempt = startAttempt(options)
      attempts.add(attempt)
      const start = performance.now()
      if (queue.length > 0 && options.hedge !== false) {
        hedge = setTimeout(startNext, Math.max(MIN_HEDGE_MS, hooks.findHedgeMs() ?? DEFAULT_HEDGE_MS))
      }
      runWork(server, servers.indexOf(server), work, attempt.signal, options.timeoutMs).then(
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
          hooks.onFailure(server, error)
          firstError ??= error
          if (error instanceof NodeRefusedError) {
            // A definite answer gets one second opinion: from an archive, which may hold what the first has dropped.
            const isDefinite = options.believeRefusals === true || !error.retryable
            if (isDefinite && firstRefusal === undefined) keepOne(queue, options.archival)
            else if (isDefinite) queue.length = 0
            firstRefusal ??= error
          }
          startNext()
        },
      )
    }
    startNext()
  })
}

type Attempt = { readonly signal: AbortSignal; abort(): void }

/** Without rivals an attempt ends only with the whole, and needs no signal of its own: to make one costs as much as to ask. */
const startAttempt = ({ signal, hedge }: RunOptions): Attempt => {
  if (signal !== undefined && hedge === false) return { signal, abort: () => undefined }
  const controller = new AbortController()
  const abort = (): void => controller.abort(new NodeUnavailableError('Another server was quicker.'))
  return { signal: controller.signal, abort }
}

const runWork = async <T>(
  { client }: PoolServer,
  index: number,
  work: (session: ServerSession) => Promise<T>,
  signal: AbortSignal,
  timeoutMs: number | undefined,
): Promise<T> =>
  work({
    name: client.name,
    index,
    signal,
    ask: (kind, args, options = {}) => client.ask(kind, args, { timeoutMs, ...options, signal }),
    askToTheEnd: (kind, args) => client.ask(kind, args, { timeoutMs }),
  })

/** Servers in step first, in random order; then those that are behind, unreachable or aside, which may have mended. */
export const orderServers = (servers: readonly PoolServer[], archival: RunOptions['archival']): PoolServer[] => {
  const rank = { alive: 0, unknown: 1, behind: 2, dead: 3, aside: 4, foreign: 5 } as const
  const fits = ({ condition, archival: isArchival }: PoolServer): boolean =>
    condition !== 'foreign' && (archival === undefined || (archival === 'only') === (isArchival === true))
  const fitting = servers.filter(fits)
  if (fitting.length < 2) return fitting
  return fitting
    .map((server) => ({ server, place: rank[server.condition] + Math.random() }))
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
