import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { type Account, type AccountStatus, type ExistingAccount, openAccount } from '../../codec/tlb/Account.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { type AddrStd, type MsgAddressInt, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  StoragePhase,
} from '../../codec/tlb/transactionPhases.ts'
import type { Address } from '../../primitives/Address.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { VmInputError } from '../errors.ts'
import type { CodeResult } from '../machine/runCode.ts'
import type { RunObserver } from '../machine/Vm.ts'
import { Slice, type Value } from '../machine/values.ts'
import { hasShortestAmounts } from './dictionaries.ts'
import type { ExecutorConfig } from './ExecutorConfig.ts'
import type { InboundMessage } from './inboundMessage.ts'

export type ExecuteInput = {
  readonly account: ShardAccount
  /** Of the account; needed where the account does not exist and no message names it. */
  readonly address?: Address
  readonly cause: { readonly kind: 'message'; readonly message: Cell } | { readonly kind: 'tick' | 'tock' }
  readonly config: ExecutorConfig
  readonly now: number
  /** The least lt that the transaction may have. */
  readonly lt: bigint
  /** Start of the block. */
  readonly blockLt: bigint
  /** Seed of the block; that of the account is derived from it. */
  readonly randomSeed: Uint8Array
  /** The seed that the contract sees, where it is known rather than that of the block. */
  readonly accountSeed?: Uint8Array
  /** Gas instead of what the balance and the message buy. */
  readonly gas?: { readonly limit: bigint; readonly max: bigint; readonly credit: bigint }
  /** Public libraries, roots of dictionaries. */
  readonly libraries: readonly Cell[]
  /** The tuple of c7[13]. */
  readonly previousBlocks: Value
  readonly ignoreSignatures?: boolean
  /** Only finds out whether an external message would be accepted. */
  readonly stopOnAccept?: boolean
  /** As in {@link CodeRun}. */
  readonly refusesSlow?: boolean
  readonly observer?: RunObserver | undefined
}

export type WorkingStatus = AccountStatus | 'deleted'

/** A transaction in the making: what the phases read and change. */
export class TransactionState {
  readonly input: ExecuteInput
  readonly config: ExecutorConfig
  readonly version: number
  readonly address: AddrStd
  readonly isMasterchain: boolean
  readonly isSpecial: boolean
  readonly original: ExistingAccount | undefined
  readonly originalStatus: AccountStatus
  readonly message: InboundMessage | undefined

  status: WorkingStatus
  startLt: bigint
  endLt: bigint
  balance: CurrencyCollection
  /** What is left of the message's value. */
  messageBalance: CurrencyCollection = ZERO_CURRENCY
  originalBalance: CurrencyCollection
  totalFees = 0n
  lastPaid: number
  duePayment: bigint

  code: Cell | undefined
  data: Cell | undefined
  library: Cell | undefined
  tick: boolean
  tock: boolean
  fixedPrefixLength: number
  wasFrozen = false
  wasDeleted = false
  wasActivated = false

  storagePhase: StoragePhase | undefined = undefined
  creditPhase: CreditPhase | undefined = undefined
  computePhase: ComputePhase | undefined = undefined
  actionPhase: ActionPhase | undefined = undefined
  bouncePhase: BouncePhase | undefined = undefined
  /** Gas fees of the compute phase and fines of the action phase, which a bounce is less by. */
  gasFees = 0n
  actionFine = 0n
  /** Whether the action phase asks for a bounce. */
  bounceRequested = false
  run: CodeResult | undefined = undefined
  readonly outMessages: Cell[] = []

  constructor(input: ExecuteInput, message: InboundMessage | undefined) {
    this.input = input
    this.config = input.config
    this.version = input.config.version
    this.message = message
    const account = openAccount(input.account.account)
    this.address = addressOf(account, input.address, message?.destination)
    const { workchain, hash } = this.address
    this.isMasterchain = workchain === masterchain
    this.isSpecial = input.config.isSpecial(workchain, hash)
    this.original = account.kind === 'account' ? account : undefined
    this.originalStatus = this.original?.state.kind ?? 'nonexist'
    this.status = this.originalStatus === 'nonexist' ? 'uninit' : this.originalStatus
    this.balance = this.original?.balance ?? ZERO_CURRENCY
    if (!hasShortestAmounts(this.balance.extra)) {
      throw new VmInputError('The extra currencies of the account are malformed.')
    }
    this.originalBalance = this.balance
    this.lastPaid = this.original?.storage.lastPaid ?? input.now
    this.duePayment = this.original?.storage.duePayment ?? 0n
    const init = this.original?.state.kind === 'active' ? this.original.state.init : undefined
    this.code = init?.code
    this.data = init?.data
    this.library = init?.library
    this.tick = init?.special?.tick ?? false
    this.tock = init?.special?.tock ?? false
    this.fixedPrefixLength = init?.fixedPrefixLength ?? 0
    const after = this.original?.lastTransLt ?? 0n
    this.startLt = after > input.lt ? after : input.lt
    this.endLt = this.startLt + 1n
  }

  get isOrdinary(): boolean {
    return this.input.cause.kind === 'message'
  }

  /** Own address as contracts see it. */
  addressSlice(): Slice {
    return addressSlice(this.address)
  }

  addFee(fee: bigint): void {
    this.totalFees += fee
  }
}

export const addressSlice = (address: MsgAddressInt): Slice => {
  const w = new CellWriter()
  writeMsgAddress(w, address)
  return Slice.of(w.toCell())
}

const addressOf = (account: Account, given: Address | undefined, destination: MsgAddressInt | undefined): AddrStd => {
  if (account.kind === 'account') {
    if (account.address.kind === 'std') return { ...account.address, anycast: undefined }
    throw new VmInputError('Accounts with addresses of variable length cannot be run.')
  }
  if (destination?.kind === 'std') return { ...destination, anycast: undefined }
  if (given !== undefined) return { kind: 'std', workchain: given.workchain, hash: given.hash, anycast: undefined }
  throw new VmInputError('The address of an account that does not exist yet was not given.')
}
