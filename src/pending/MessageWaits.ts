import {
  CallerWaitsError,
  type Confirmations,
  type MessageOutcome,
  type MessageWait,
  type WaitOptions,
  type WaitRequest,
  WaitsExhaustedError,
} from '../chain/confirmations.ts'
import { toHex } from '../primitives/hex.ts'
import { onAbort } from '../primitives/scheduling.ts'
import type { PendingChange, PendingChanges } from './PendingChanges.ts'

export type WaitsParts = {
  readonly changes: Pick<PendingChanges, 'listen'>
  /** Follows a message. */
  readonly track: (request: Pick<WaitRequest, 'message' | 'normalHash'>) => void
  /** Stops following a message that has no trace. */
  readonly forget: (normalHash: Uint8Array) => void
  readonly isShown: (normalHash: Uint8Array) => boolean
  readonly listTransactions: Confirmations['listTransactions']
  /** Ends all waits. */
  readonly signal: AbortSignal
  readonly maxWaits?: number
}

/** In all of the process. Each holds a connection and about 2 KB. */
const MAX_WAITS = 10_000
/** Nodes accepted the message: the first refusal may come from a node that is behind. */
const ENOUGH_REFUSALS = 2

/** Callers that wait for a message, by message hash. Listens to changes only while there are callers. */
export class MessageWaits implements Confirmations {
  readonly #parts: WaitsParts
  readonly #waits = new Map<string, Set<Wait>>()
  readonly #callers = new Map<string, number>()
  readonly listTransactions: Confirmations['listTransactions']
  #count = 0
  #leave: (() => void) | undefined

  constructor(parts: WaitsParts) {
    this.#parts = parts
    this.listTransactions = parts.listTransactions
  }

  /** Number of callers that wait. */
  get size(): number {
    return this.#count
  }

  open(request: WaitRequest): MessageWait {
    const { maxWaits = MAX_WAITS, changes } = this.#parts
    const { caller } = request
    const own = caller === undefined ? 0 : (this.#callers.get(caller.name) ?? 0)
    if (caller !== undefined && own >= caller.maxWaits) throw new CallerWaitsError(caller.maxWaits)
    if (this.#count >= maxWaits) throw new WaitsExhaustedError()
    if (caller !== undefined) this.#callers.set(caller.name, own + 1)
    this.#count++
    this.#leave ??= changes.listen((change) => this.#take(change))
    const key = toHex(request.normalHash)
    const wait = new Wait(this.#parts, request, () => this.#close(key, wait))
    const others = this.#waits.get(key)
    if (others === undefined) this.#waits.set(key, new Set([wait]))
    else others.add(wait)
    return wait
  }

  #close(key: string, wait: Wait): void {
    const others = this.#waits.get(key)
    if (others?.delete(wait) !== true) return
    const { caller, normalHash } = wait.request
    if (others.size === 0) {
      this.#waits.delete(key)
      if (wait.isVain) this.#parts.forget(normalHash)
    }
    this.#count--
    const own = caller === undefined ? 0 : (this.#callers.get(caller.name) ?? 1) - 1
    if (caller !== undefined && own === 0) this.#callers.delete(caller.name)
    else if (caller !== undefined) this.#callers.set(caller.name, own)
    if (this.#count > 0) return
    this.#leave?.()
    this.#leave = undefined
  }

  #take(change: PendingChange): void {
    const hash = change.kind === 'stored' ? change.trace.externalHashNorm : 'normalHash' in change && change.normalHash
    if (!(hash instanceof Uint8Array)) return
    for (const wait of this.#waits.get(toHex(hash)) ?? []) wait.take(change)
  }
}

class Wait implements MessageWait {
  readonly request: WaitRequest
  readonly close: () => void
  readonly #parts: WaitsParts
  #options: WaitOptions | undefined
  /** What came before anybody waited for it. */
  #early: MessageOutcome | undefined
  #refusal: Extract<PendingChange, { kind: 'refused' }> | undefined
  #settle: ((outcome: MessageOutcome) => void) | undefined
  #hasFollowed = false

  constructor(parts: WaitsParts, request: WaitRequest, close: () => void) {
    this.#parts = parts
    this.request = request
    this.close = close
  }

  /** Whether the message is followed for this wait only, and was refused. */
  get isVain(): boolean {
    return this.#hasFollowed && this.#refusal !== undefined
  }

  follow(): void {
    this.#hasFollowed = true
    this.#parts.track(this.request)
  }

  async wait(options: WaitOptions): Promise<MessageOutcome> {
    options.signal.throwIfAborted()
    this.#options = options
    const { until, timeoutMs, signal } = options
    if (this.#refusal !== undefined) this.take(this.#refusal)
    if (until === 'emulated' && this.#parts.isShown(this.request.normalHash)) this.#early ??= { kind: 'emulated' }
    if (this.#early !== undefined && isEnough(this.#early, until)) return this.#early
    let timer: NodeJS.Timeout | undefined
    const leaves: (() => void)[] = []
    try {
      return await new Promise<MessageOutcome>((resolve, reject) => {
        this.#settle = resolve
        timer = setTimeout(() => resolve({ kind: 'timeout' }), timeoutMs)
        leaves.push(onAbort(signal, () => reject(signal.reason as Error)))
        leaves.push(onAbort(this.#parts.signal, () => resolve({ kind: 'timeout' })))
      })
    } finally {
      clearTimeout(timer)
      for (const leave of leaves) leave()
      this.#settle = undefined
    }
  }

  take(change: PendingChange): void {
    if (change.kind === 'refused') {
      this.#refusal = change
      const enough = this.#options?.isRefused === true ? 1 : ENOUGH_REFUSALS
      if (this.#options === undefined || change.tries < enough) return
    }
    const outcome = toOutcome(change)
    if (outcome === undefined) return
    if (this.#settle === undefined) this.#early = outcome
    else if (isEnough(outcome, this.#options?.until)) this.#settle(outcome)
  }
}

const isEnough = ({ kind }: MessageOutcome, until: WaitOptions['until'] | undefined): boolean =>
  kind !== 'emulated' || until === 'emulated'

const toOutcome = (change: PendingChange): MessageOutcome | undefined => {
  switch (change.kind) {
    case 'stored':
      return { kind: 'emulated' }
    case 'finished':
      return { kind: 'finished', traceId: change.traceId }
    case 'refused':
      return { kind: 'refused', exitCode: change.exitCode }
    case 'ended': {
      const { reason, exitCode } = change.end
      return reason === 'lifetime' ? { kind: 'lost' } : { kind: reason, exitCode }
    }
    default:
      return undefined
  }
}
