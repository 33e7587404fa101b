import type { JettonWallet } from '../../store/reader/jettons.ts'
import type { PendingTrace, PendingTransaction } from '../../store/reader/pending.ts'
import type { StateSnapshot } from '../../store/reader/TransactionRecord.ts'

/** The transactions of an account in a confirmed block, and its state after them. */
export type ConfirmedAccount = {
  readonly account: Uint8Array
  /** By logical time. */
  readonly transactions: readonly PendingTransaction[]
  /** Normalized hashes of the messages that started their traces. */
  readonly traceHashes: readonly Uint8Array[]
  readonly state: StateSnapshot
  readonly previous: StateSnapshot
  readonly lt: bigint
  readonly lastTransactionHash: Uint8Array
}

/** A state of an account in a confirmed block. */
export type ConfirmedState = {
  readonly account: Uint8Array
  /** `undefined` if there is no account any more. */
  readonly hash: Uint8Array | undefined
  readonly lt: bigint
}

/** What a signed shard block, which no masterchain block names yet, shows. */
export type ConfirmedContent = {
  readonly genUtime: number
  /** Whole traces: all their transactions are confirmed or final, and no message is in flight. */
  readonly traces: readonly PendingTrace[]
  readonly accounts: readonly ConfirmedAccount[]
  readonly wallets: readonly JettonWallet[]
}

/** A change of what is confirmed. */
export type ConfirmedChange =
  | ({ readonly kind: 'confirmed' } & ConfirmedContent)
  /** Blocks were replaced. These traces, by normalized hash, and states of them did not come back with the new ones. */
  | {
      readonly kind: 'discarded'
      readonly traces: readonly Uint8Array[]
      readonly states: readonly ConfirmedState[]
    }

export type OnConfirmedChange = (change: ConfirmedChange) => void
