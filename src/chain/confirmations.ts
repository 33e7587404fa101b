import type { Cell } from '../codec/cell/Cell.ts'
import { CodedError } from '../primitives/errors.ts'
import type { TransactionKey } from './LiveChain.ts'

/** What became of a sent external-in message. */
export type MessageOutcome =
  /** The whole trace is in the index, with its actions. */
  | { readonly kind: 'finished'; readonly traceId: Uint8Array }
  /** Its trace is emulated. */
  | { readonly kind: 'emulated' }
  /** The contract refuses it at the newest block, and did not execute it before. */
  | { readonly kind: 'refused'; readonly exitCode: number | undefined }
  /** It was acceptable, but is no longer: another message of the account took its place, or it is no longer valid. */
  | { readonly kind: 'replaced' | 'rejected'; readonly exitCode: number | undefined }
  /** It was in no block for its lifetime. */
  | { readonly kind: 'lost' }
  /** The time is up, or the service stops. */
  | { readonly kind: 'timeout' }

/** A message to wait for, and who waits. */
export type WaitRequest = {
  readonly message: Cell
  readonly normalHash: Uint8Array
  /** `undefined` if its waits are not counted. */
  readonly caller: { readonly name: string; readonly maxWaits: number } | undefined
}

export type WaitOptions = {
  readonly until: 'emulated' | 'finished'
  readonly timeoutMs: number
  /** Nodes refused the message, so one refusal by the emulation is enough. */
  readonly isRefused: boolean
  readonly signal: AbortSignal
}

/** A place among those who wait. */
export interface MessageWait {
  /** Follows the message although no node accepted it now: it may be in a block, or in a node, already. */
  follow(): void
  /** Call once, after sending. */
  wait(options: WaitOptions): Promise<MessageOutcome>
  close(): void
}

/** Tells what became of sent messages. All who wait share the notifications of the index: waiting costs no queries. */
export interface Confirmations {
  /** Takes a place; call it before the message is sent. Throws if too many wait, or if the index is not open. */
  open(request: WaitRequest): MessageWait
  /** The indexed transactions of a trace by logical time, the root first. */
  listTransactions(traceId: Uint8Array): Promise<readonly (TransactionKey & { readonly account: Uint8Array })[]>
}

/** The caller waits for too many messages. */
export class CallerWaitsError extends CodedError {
  readonly code = 'rate_limited'
  override readonly retryable = true
  constructor(maxWaits: number) {
    super(`You may wait for at most ${maxWaits} messages at a time.`)
  }
}

/** All callers together wait for too many messages. */
export class WaitsExhaustedError extends CodedError {
  readonly code = 'waits_exhausted'
  override readonly retryable = true
  constructor() {
    super('Too many callers wait for messages. Retry soon, or send the message without waiting.')
  }
}

/** There is no index that could tell what became of a message. */
export class IndexMissingError extends CodedError {
  readonly code = 'index_missing'
  constructor(reason: string) {
    super(`${reason} Send the message with sendBocReturnHash, and look for it with getTransactions.`)
  }
}
