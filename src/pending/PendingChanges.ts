import type { Logger } from '../observe/Logger.ts'
import type { PendingTrace } from '../store/reader/pending.ts'

/** Why an emulated message is no longer expected to be executed. */
export type PendingEnd = {
  /**
   * `lifetime`: it was in no block for too long. `replaced`: another external-in message of its account was executed, and the contract now
   * refuses this one. `rejected`: the contract refuses it at the newest indexed block.
   */
  readonly reason: 'lifetime' | 'replaced' | 'rejected'
  /** Of the refusal; `undefined` if the contract did not run. */
  readonly exitCode?: number | undefined
}

/** A change of the pending messages. Messages are identified by their normalized hash. */
export type PendingChange =
  /** A trace was stored or updated. `isOwn`: by this process. */
  | { readonly kind: 'stored'; readonly trace: PendingTrace; readonly isOwn: boolean }
  /** A stored trace was removed. Nodes may still execute its message later; then it is stored again. */
  | { readonly kind: 'ended'; readonly normalHash: Uint8Array; readonly end: PendingEnd }
  /** A message that was never stored, and is in no block, was refused at the newest block, for the n-th time. */
  | {
      readonly kind: 'refused'
      readonly normalHash: Uint8Array
      readonly exitCode: number | undefined
      readonly tries: number
    }
  /** The whole trace is in the index, with its actions. */
  | { readonly kind: 'finished'; readonly normalHash: Uint8Array; readonly traceId: Uint8Array }
  /** All were dropped: the chain was reset. */
  | { readonly kind: 'cleared' }
  /** Changes of other processes may have been missed. */
  | { readonly kind: 'missed' }

export type OnPendingChange = (change: PendingChange) => void

/** Calls back for the changes of other processes until the returned function is called. */
export type WatchOthers = (listener: OnPendingChange) => () => void

/** Distributes changes of pending messages. Subscribes to other processes only while a listener asks for their changes. */
export class PendingChanges {
  readonly #logger: Logger
  readonly #own = new Set<OnPendingChange>()
  readonly #all = new Set<OnPendingChange>()
  #watchOthers: WatchOthers | undefined
  #leaveOthers: (() => void) | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Calls back for the changes of this process or, with `others`, of all processes that share the store. */
  listen(listener: OnPendingChange, { others = false }: { readonly others?: boolean } = {}): () => void {
    const listeners = others ? this.#all : this.#own
    listeners.add(listener)
    this.#update()
    return () => {
      listeners.delete(listener)
      this.#update()
    }
  }

  /** Sets where the changes of other processes come from. */
  connect(watchOthers: WatchOthers | undefined): void {
    this.#leaveOthers?.()
    this.#leaveOthers = undefined
    this.#watchOthers = watchOthers
    this.#update()
  }

  /** A change of this process. */
  emit(change: PendingChange): void {
    for (const listener of this.#own) this.#call(listener, change)
    this.#emitToAll(change)
  }

  #emitToAll(change: PendingChange): void {
    for (const listener of this.#all) this.#call(listener, change)
  }

  #update(): void {
    if (this.#all.size > 0) {
      this.#leaveOthers ??= this.#watchOthers?.((change) => this.#emitToAll(change))
    } else {
      this.#leaveOthers?.()
      this.#leaveOthers = undefined
    }
  }

  #call(listener: OnPendingChange, change: PendingChange): void {
    try {
      listener(change)
    } catch (error) {
      this.#logger.error('listener of pending messages failed', { error })
    }
  }
}
