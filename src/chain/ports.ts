import type { Cell } from '../codec/cell/Cell.ts'
import type { CurrencyCollection } from '../codec/tlb/CurrencyCollection.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import type { VmStack } from '../codec/tlb/VmStack.ts'
import type { Address } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import type { RecordOptions, VmRecording } from './recording.ts'

/** Where raw blocks come from: liteservers, or a node's archive files. */
export interface BlockSource {
  /** The newest masterchain block whose shard blocks are all there too. */
  getHead(signal?: AbortSignal): Promise<BlockIdExt>
  /** The id of a masterchain block; throws BlockNotFoundError where this source does not have it. */
  getMasterchainBlockId(seqno: number, signal?: AbortSignal): Promise<BlockIdExt>
  /** The exact bytes of a block, checked against both hashes of its id. */
  getRawBlock(id: BlockIdExt, signal?: AbortSignal): Promise<Uint8Array>
  /** Each new head as it appears, the present one first. Heads may be skipped over, never repeated or taken back. */
  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt>
}

/** A signed shard block that no masterchain block names yet; validators may replace it. Without bytes if the caller knows it. */
export type PendingBlock = { readonly id: BlockIdExt; readonly bytes: Uint8Array | undefined }

/** Where signed shard blocks can be seen before the masterchain names them. */
export interface PendingBlockSource {
  /** Those there are now; `undefined` if no node shows them: nodes do so only if they were started for it. */
  listPendingBlocks(
    isKnown: (id: BlockIdExt) => boolean,
    signal?: AbortSignal,
  ): Promise<readonly PendingBlock[] | undefined>
}

/** A contract as its code sees it. */
export type ContractState = {
  readonly address: Address
  readonly code: Cell
  readonly data: Cell
  readonly balance: CurrencyCollection
  /** Unpaid storage fee; zero where it is not given. */
  readonly duePayment?: bigint
}

/** Masterchain blocks that code may ask for. */
export type PreviousBlocks = {
  /** The newest 16, newest first. */
  readonly last: readonly BlockIdExt[]
  readonly keyBlock: BlockIdExt
  /** The newest 16 whose seqno is a multiple of 100, newest first. Known to code from global version 9 on. */
  readonly lastHundreds: readonly BlockIdExt[]
}

/** A public library by its hash, from the state of the masterchain or from a node. */
export type FindLibrary = (hash: Uint8Array) => Cell | undefined | Promise<Cell | undefined>

/** The environment of a run. */
export type RunContext = {
  /** Root of the dictionary of configuration parameters. */
  readonly config: Cell
  /** Time of the block, in seconds. */
  readonly now: number
  /** 32 bytes: for a transaction the seed of its block, which the address is mixed into; for a get-method the seed itself. */
  readonly randomSeed: Uint8Array
  /** Logical time that a get-method sees; zero where it is not given. */
  readonly lt?: bigint
  readonly previousBlocks: PreviousBlocks | undefined
  readonly findLibrary: FindLibrary | undefined
}

/** Detail of a VM log: instructions; then also position and gas; then also the stack before each. */
export type VmLogDetail = 'none' | 'steps' | 'gas' | 'stack'

export type MethodCall = {
  readonly contract: ContractState
  readonly methodId: number
  readonly stack: VmStack
  readonly gasLimit: number
  readonly context: RunContext
  /** Set where the index waits for it: it goes before all others, and gets one short attempt. */
  readonly forIndex?: boolean
  /** Asks which cells were loaded, as for a proof. */
  readonly withLoadedCells?: boolean
  readonly log: VmLogDetail
}

/** What a run looked at beyond its own code, data, address and arguments: its result holds as long as these are the same. */
export type RunReads = {
  readonly time: boolean
  /** Logical times. */
  readonly lt: boolean
  readonly seed: boolean
  /** The balance or the unpaid storage fee. */
  readonly balance: boolean
  readonly previousBlocks: boolean
  /** Numbers of the configuration parameters, or `all` where it took the dictionary. */
  readonly config: 'all' | readonly number[]
  /** Asked for libraries, found or not. */
  readonly libraries: boolean
}

export type MethodRun = {
  /** 0 and 1 are success. */
  readonly exitCode: number
  readonly gasUsed: number
  readonly stack: VmStack
  readonly log: string | undefined
  /**
   * Whether it looked at more than its own code, data, address and arguments. Where it did not, it ends the same after any
   * block, as long as the configuration is the same.
   */
  readonly dependsOnBlock: boolean
  readonly reads: RunReads
  /** Hashes of the loaded cells in hexadecimal digits, where they were asked for. */
  readonly loadedCells?: ReadonlySet<string> | undefined
}

export type TransactionCall = {
  readonly account: ShardAccount
  /** The incoming message, or which of the two calls that special contracts get in every masterchain block. */
  readonly cause: { readonly kind: 'message'; readonly message: Cell } | { readonly kind: 'tick' | 'tock' }
  /** The least lt that the transaction may have: it is raised above that of the account and of the message where needed. */
  readonly lt: bigint
  readonly context: RunContext
  /** Takes every signature for right, as in an estimate of fees. */
  readonly ignoreSignatures: boolean
  /** Set where anybody may have it run, so that it must not hold up others: the call alone, or one that brings its code along. */
  readonly foreign?: 'call' | 'code'
  /** Asks for the list of actions as well. */
  readonly withActions?: boolean
  readonly log: VmLogDetail
}

export type TransactionRun =
  | {
      readonly kind: 'executed'
      readonly transaction: Cell
      readonly account: ShardAccount
      /** The OutList that the contract left, where it was asked for and there is one. */
      readonly actions: Cell | undefined
      readonly log: string | undefined
    }
  /** An external message that the contract did not accept, so there is no transaction. */
  | {
      readonly kind: 'notAccepted'
      /** `undefined` where the message was refused before the contract ran. */
      readonly exitCode: number | undefined
      /** How many instructions ran. */
      readonly steps: number
      readonly reason: string
      readonly log: string
    }

/** A transaction, and how its contract ran; `undefined` where it did not. */
export type RecordedTransaction = { readonly run: TransactionRun; readonly recording: VmRecording | undefined }

export type RecordedMethod = { readonly run: MethodRun; readonly recording: VmRecording }

/** Runs contracts: short runs on the calling thread, long ones on others. What cannot be queued or takes too long fails by itself alone. */
export interface VirtualMachine {
  /** The newest global version whose rules it knows. */
  readonly supportedVersion: number
  /** The result of a method that takes only a fraction of a millisecond, at once; `undefined` where {@link runMethod} has to run it. */
  runShortMethod(call: MethodCall): MethodRun | undefined
  runMethod(call: MethodCall, signal?: AbortSignal): Promise<MethodRun>
  runTransaction(call: TransactionCall, signal?: AbortSignal): Promise<TransactionRun>
  /** The same on another thread, and step by step. */
  recordMethod(call: MethodCall, options: RecordOptions, signal?: AbortSignal): Promise<RecordedMethod>
  recordTransaction(call: TransactionCall, options: RecordOptions, signal?: AbortSignal): Promise<RecordedTransaction>
}
