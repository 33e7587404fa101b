import type { BlockId } from '../../primitives/BlockId.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { KeyBytes } from '../../primitives/KeyBytes.ts'
import type { AccountStatusName, ExtraAmounts } from '../schema/codes.ts'
import type { Tables } from '../schema/tables.ts'

/** A row of `transactions`, with the received message. */
export type TransactionRow = Tables['transactions']

/** The key of a transaction row. */
export type TransactionKey = { readonly account: Uint8Array; readonly lt: bigint; readonly mcSeqno: number }

export type MessageKind = 'internal' | 'externalIn' | 'externalOut' | 'system'

/** A cell and its hash. Packed; `undefined` for the empty cell, or if it is not stored. */
export type StoredContent = { readonly hash: Uint8Array; readonly packed: Uint8Array | undefined }

/** Placeholder for a cell that was not read because the page is too large already. */
export const OMITTED_CONTENT = new Uint8Array(0)

/** Fields that a kind of message does not have are `undefined`. Addresses are keys. */
export type MessageRecord = {
  readonly kind: MessageKind
  readonly hash: Uint8Array
  /** Normalized hash of an external-in message, if it differs from the hash. */
  readonly normalHash: Uint8Array | undefined
  readonly source: Uint8Array | undefined
  readonly destination: Uint8Array | undefined
  readonly value: bigint | undefined
  readonly valueExtra: ExtraAmounts | undefined
  readonly fwdFee: bigint | undefined
  readonly ihrFee: bigint | undefined
  readonly extraFlags: bigint | undefined
  readonly importFee: bigint | undefined
  readonly createdLt: bigint | undefined
  readonly createdAt: number | undefined
  /** Signed. */
  readonly opcode: number | undefined
  readonly bounce: boolean | undefined
  readonly bounced: boolean | undefined
  readonly ihrDisabled: boolean | undefined
  /** `undefined` where it is the empty cell. */
  readonly body: StoredContent | undefined
  readonly init: StoredContent | undefined
  /** The transaction that received it, if any. */
  readonly receivedBy: Uint8Array | undefined
  /** Of the transactions that were read together, one sent it and one received it: both have this record. */
  readonly isRepeated?: boolean | undefined
}

/** An account before or after a transaction. Blocks show only the hash of some states, such as those in the middle of a block. */
export type StateSnapshot = {
  /** `undefined` if there is no account. */
  readonly hash: Uint8Array | undefined
  readonly known:
    | {
        readonly status: AccountStatusName
        readonly balance: bigint
        readonly extra: ExtraAmounts | undefined
        readonly frozenHash: Uint8Array | undefined
        readonly dataHash: Uint8Array | undefined
        readonly codeHash: Uint8Array | undefined
      }
    | undefined
}

/** No account. */
export const NO_STATE: StateSnapshot = {
  hash: undefined,
  known: {
    status: 'nonexist',
    balance: 0n,
    extra: undefined,
    frozenHash: undefined,
    dataHash: undefined,
    codeHash: undefined,
  },
}

/** A transaction with its messages and account states. */
export type TransactionRecord = {
  readonly account: Uint8Array
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly now: number
  readonly mcSeqno: number
  readonly traceId: Uint8Array
  /** The external-in message that started its trace, if any. */
  readonly traceExternalHash: Uint8Array | undefined
  /** `undefined` for the first transaction of an account. */
  readonly prevHash: Uint8Array | undefined
  readonly prevLt: bigint
  readonly origStatus: AccountStatusName
  readonly endStatus: AccountStatusName
  readonly totalFees: bigint
  readonly totalFeesExtra: ExtraAmounts | undefined
  /** See packDescription.ts. */
  readonly description: Uint8Array
  readonly block: BlockId
  readonly inMessage: MessageRecord | undefined
  /** By their logical times. */
  readonly outMessages: readonly MessageRecord[]
  readonly stateBefore: StateSnapshot
  readonly stateAfter: StateSnapshot
}

/** Bytes as a map key: one character per byte. */
export const keyText = KeyBytes.textOf

type OfAccount = { readonly lt: bigint; readonly account: Uint8Array }

/** By logical time in a direction, then by account. */
export const inLtOrder =
  (direction: 'asc' | 'desc') =>
  (a: OfAccount, b: OfAccount): number =>
    a.lt === b.lt ? compareBytes(a.account, b.account) : a.lt < b.lt === (direction === 'asc') ? -1 : 1
