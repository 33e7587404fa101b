import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { ChainStore, CheckedBlock, MasterStep } from '../store/ChainStore.ts'

/** The key of the one validator. */
export type ValidatorKey = { readonly publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array }

/** What stands before the 32 bytes of an Ed25519 key in its PKCS #8 form. */
const PKCS8_HEAD = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32])

export const createValidatorKey = (seed: Uint8Array): ValidatorKey => {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: new Uint8Array(publicKey.subarray(publicKey.length - 32)),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  }
}

/** An external message as it waits for a block. */
export type ExternalMessage = {
  readonly destination: Address
  /** The cell of the Message. */
  readonly message: Cell
  /** The hexadecimal hash of that cell. */
  readonly hash: string
}

/**
 * An internal message that no contract sent. Its value is booked as minted. Otherwise it is processed like any other message.
 */
export type InjectedMessage = {
  readonly source: Address
  readonly destination: Address
  readonly value: CurrencyCollection
  readonly bounce: boolean
  readonly stateInit: StateInit | undefined
  readonly body: Cell
}

/** An account as it shall be from the next block on, without a transaction. A change of its balance is booked as minted or burned. */
export type AccountOverride = {
  readonly address: Address
  readonly balance: CurrencyCollection | undefined
  /** `undefined` leaves the state as it is. */
  readonly state:
    | { readonly kind: 'active'; readonly init: StateInit }
    | { readonly kind: 'frozen'; readonly stateHash: Uint8Array }
    | { readonly kind: 'uninit' }
    /** The account is gone, and its balance with it. */
    | { readonly kind: 'none' }
    | undefined
}

/** An account of a forked network as it enters the state, without a transaction. Its balance is booked as minted. */
export type ImportedAccount = { readonly address: Address; readonly account: ShardAccount }

/** Accounts of a forked network that are not in the state yet. */
export interface AccountGaps {
  /** Whether a message may run on the account: the state says everything about it. */
  isKnown(address: Address): boolean
  /** Whether messages to an unknown account wait; otherwise the step fails with {@link MissingAccountError}. */
  isHeld(address: Address): boolean
}

/** A step needs accounts that must be imported first. */
export class MissingAccountError extends CodedError {
  readonly code = 'dev_account_missing'
  readonly addresses: readonly Address[]

  /** The cause says why importing is of no use: a library of the account cannot be fetched. */
  constructor(addresses: readonly Address[], options?: ErrorOptions) {
    super(`The block needs ${addresses.map(formatRawAddress).join(', ')} of the forked network.`, options)
    this.addresses = addresses
  }
}

/** A shard block that no masterchain block names yet, and the hashes of the external messages in it. */
export type PendingShardBlock = { readonly block: CheckedBlock; readonly included: readonly string[] }

/** What one step of the network is made from: a block of every shard, then the masterchain block that includes them. */
export type StepRequest = {
  readonly store: ChainStore
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly key: ValidatorKey
  /** The time of the blocks, in seconds. */
  readonly utime: number
  /** Makes the random seeds of the blocks: the same secret with the same blocks gives the same seeds. */
  readonly seedSecret: Uint8Array
  /** In the order in which they came. */
  readonly externals: readonly ExternalMessage[]
  readonly injected: readonly InjectedMessage[]
  readonly overrides: readonly AccountOverride[]
  readonly imports?: readonly ImportedAccount[]
  /** Set on a fork. */
  readonly gaps?: AccountGaps | undefined
  /** Leaves all internal messages in their queues for this step. */
  readonly holdInternal: boolean
  /**
   * Waits between the shard blocks and the masterchain block that names them. If it returns messages, by hash, the shard blocks are made
   * again without these.
   */
  readonly beforeCommit?:
    | ((blocks: readonly PendingShardBlock[]) => Promise<ReadonlySet<string> | undefined>)
    | undefined
}

/** What became of an external message. Those that a block had no room for are in neither list and may be offered again. */
export type RefusedExternal = { readonly hash: string; readonly reason: string }

export type StepResult = {
  /** For `ChainStore.append`. */
  readonly step: MasterStep
  /** Hashes of the external messages that became transactions. */
  readonly included: ReadonlySet<string>
  readonly refused: readonly RefusedExternal[]
  /** Transactions in all blocks of the step. */
  readonly transactions: number
  /** Without the tick and tock of special contracts: whether anything happened that a user would call an event. */
  readonly userTransactions: number
  /** Messages wait in queues, or shards are about to split or merge: another step would go on with it. */
  readonly hasMore: boolean
  /** For how long at least one run of the virtual machine was under way, in milliseconds. */
  readonly vmMs: number
}

/** Makes the next step of a chain. It changes nothing: the store has to be given the result. */
export type MakeStep = (order: StepRequest) => Promise<StepResult>
