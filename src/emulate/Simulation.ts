import type { LiveNode } from '../chain/LiveChain.ts'
import type { MethodRun, TransactionCall, VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import type { VmStack } from '../codec/tlb/VmStack.ts'
import { getMethodId } from '../codec/tlb/VmValue.ts'
import type { RunMethod } from '../contracts/getMethods.ts'
import { type Address, addressKeyOf } from '../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'
import { wholeShard } from '../primitives/shard.ts'
import {
  type EmulatedTransaction,
  type Emulation,
  type EmulationLimits,
  emulate,
  type Moment,
  runTransaction,
} from './emulate.ts'
import { BlockTooNewError, EmulateRequestError, StateNotKeptError } from './errors.ts'
import { type AccountOverride, applyOverride } from './overrides.ts'
import type { ExpectedBlock } from './records.ts'
import {
  AccountStates,
  type ChainContext,
  type ChainContexts,
  changeContext,
  type FollowedAccount,
  type WorldChanges,
} from './World.ts'

/** The state that a simulation starts from: after a masterchain block, by default the newest, or just before a transaction. */
export type StartingPoint =
  | { readonly seqno: number }
  | { readonly utime: number }
  | { readonly before: WorldBefore }
  | undefined

/** The world just before a transaction: the state before its block, with earlier transactions of the account in that block. */
export type WorldBefore = {
  readonly address: Address
  readonly account: ShardAccount
  /** The masterchain block of configuration and libraries, and of accounts in other shards. */
  readonly master: BlockIdExt
  /** The block before that of the transaction, in its shard. */
  readonly previousBlock: BlockIdExt
  /** Of the transaction. */
  readonly now: number
  readonly lt: bigint
  readonly randomSeed: Uint8Array
}

export type AddressedOverride = { readonly address: Address; readonly override: AccountOverride }

export type SimulationOptions = {
  readonly at: StartingPoint
  readonly overrides: readonly AddressedOverride[]
  readonly changes: WorldChanges
  /** Fixed instead of estimated. */
  readonly now: number | undefined
  readonly lt: bigint | undefined
  /** 32 bytes. */
  readonly randomSeed: Uint8Array
  /** Unix time of the machine. */
  readonly clock: number
  readonly signal: AbortSignal
}

export type RunOptions = {
  readonly ignoreSignatures: 'none' | 'first' | 'all'
  readonly limits: EmulationLimits
}

type Machine = Pick<VirtualMachine, 'runTransaction' | 'runMethod'>

/** Account states at one moment, by the hexadecimal digits of their keys. */
export type Snapshot = ReadonlyMap<string, ShardAccount>

/** Seconds between masterchain blocks. */
const BLOCK_SECONDS = 2.7
/** Blocks until a message arrives in another shard. */
const HOP_BLOCKS = 3
const LT_STEP = 1_000_000n
/** A state that is further behind the clock belongs to a chain with its own time. */
const MAX_LAG_S = 120
const METHOD_GAS = 1_000_000
const NO_CODE = -13
const OUT_OF_GAS = -14

/** A world after a masterchain block in which messages run one after the other. Nothing of it reaches the chain. */
export class Simulation {
  readonly block: BlockIdExt
  readonly hasExtraFlags: boolean
  private readonly vm: Machine
  private readonly place: ChainContext
  private readonly states: AccountStates
  private readonly options: SimulationOptions
  private readonly isHead: boolean
  /** The last block that anything happened in, counted from the initial state. */
  private lastBlock = 0
  /** Seconds that the caller let pass. */
  private passed = 0

  private constructor(
    parts: { readonly vm: Machine; readonly place: ChainContext; readonly states: AccountStates; isHead: boolean },
    options: SimulationOptions,
  ) {
    this.vm = parts.vm
    this.place = parts.place
    this.states = parts.states
    this.isHead = parts.isHead
    this.block = parts.place.block
    this.hasExtraFlags = parts.place.hasExtraFlags
    this.options = options
  }

  static async open(
    node: LiveNode,
    contexts: ChainContexts,
    vm: Machine,
    options: SimulationOptions,
  ): Promise<Simulation> {
    const { at, changes, randomSeed, overrides } = options
    const block = await findStart(node, at)
    const states = new AccountStates(node, block, at !== undefined && 'before' in at ? at.before : undefined)
    for (const { address } of overrides) states.expect(address)
    const place = await notKept(block, at, () => contexts.get(node, block))
    const parts = { vm, place: changeContext(place, changes, randomSeed), states, isHead: at === undefined }
    const simulation = new Simulation(parts, options)
    await notKept(block, at, () => simulation.override(overrides))
    return simulation
  }

  /** Starts to fetch an account. */
  expect(address: Address): void {
    this.states.expect(address)
  }

  async findAccount(address: Address): Promise<FollowedAccount | undefined> {
    return notKept(this.block, this.options.at, () => this.states.find(address))
  }

  async override(overrides: readonly AddressedOverride[]): Promise<void> {
    for (const { address, override } of overrides) {
      const account = await this.states.find(address)
      if (account === undefined) throw new EmulateRequestError('no shard found for an overridden account')
      applyOverride(account, override)
    }
  }

  /** Runs a message with everything that follows from it, in the block after the last one. */
  async run(message: Cell, { ignoreSignatures, limits }: RunOptions): Promise<Emulation> {
    const emulation = await notKept(this.block, this.options.at, () =>
      emulate(
        {
          vm: this.vm,
          place: this.place,
          states: this.states,
          limits,
          momentOf: this.momentOf,
          firstBlock: this.lastBlock + 1,
          hopBlocks: HOP_BLOCKS,
          ignoreSignatures,
          signal: this.options.signal,
        },
        [message],
      ),
    )
    this.noteBlocks(emulation.transactions)
    return emulation
  }

  /** Runs a special account without a message, and everything that follows from it. */
  async runTickTock(address: Address, kind: 'tick' | 'tock', { limits }: RunOptions): Promise<Emulation> {
    const account = await this.states.find(address)
    if (account === undefined) throw new EmulateRequestError('no shard found for the account')
    if (!isSpecial(account.current, kind)) throw new EmulateRequestError(`the account has no ${kind}`)
    const parts = { vm: this.vm, place: this.place, momentOf: this.momentOf }
    const cause: TransactionCall['cause'] = { kind }
    const first = await runTransaction(parts, account, cause, this.lastBlock + 1, false, this.options.signal)
    if ('refused' in first) throw new TypeError('A tick or tock cannot be refused.')
    const transactions: EmulatedTransaction[] = [first]
    const rest = await emulate(
      {
        ...parts,
        states: this.states,
        limits: { ...limits, transactions: limits.transactions - 1 },
        firstBlock: first.block,
        hopBlocks: HOP_BLOCKS,
        signal: this.options.signal,
      },
      first.outMessages,
    )
    transactions.push(...rest.transactions)
    this.noteBlocks(transactions)
    return { ...rest, transactions }
  }

  /** The time of the next block of an account. */
  nowOf(account: FollowedAccount): number {
    return this.momentOf(account, this.lastBlock + 1).now
  }

  /** Lets time pass. */
  advance(seconds: number, blocks: number): void {
    this.passed += seconds
    this.lastBlock += blocks
  }

  /** Runs a get-method in the world of this moment, or on earlier states. */
  async runMethod(address: Address, method: string | number, stack: VmStack, before?: Snapshot): Promise<MethodResult> {
    const methodId = typeof method === 'number' ? method : getMethodId(method)
    const account = await this.states.find(address)
    const state = account && openAccount(stateAt(account, before).account)
    const init = state?.kind === 'account' && state.state.kind === 'active' ? state.state.init : undefined
    if (account === undefined || state?.kind !== 'account' || init?.code === undefined) {
      return { exitCode: NO_CODE, gasUsed: 0, stack: [...stack, { kind: 'int', value: BigInt(methodId) }] }
    }
    const { now, lt } = this.momentOf(account, Math.max(1, this.lastBlock))
    const contract = { address, code: init.code, data: init.data ?? emptyCell, balance: state.balance }
    const context = { ...this.place.context, now, lt }
    const call = { contract, methodId, stack, gasLimit: METHOD_GAS, context, log: 'none' } as const
    return this.vm.runMethod(call, this.options.signal)
  }

  /** Get-methods for the readers of tokens, now or on earlier states. */
  methodsAt(before?: Snapshot): RunMethod {
    return async (address, method, stack) => {
      try {
        return await this.runMethod(address, method, stack, before)
      } catch (error) {
        if (!(error instanceof CodedError) || !/^vm_(result_too_large|timeout|input_invalid)$/.test(error.code))
          throw error
        return { exitCode: OUT_OF_GAS, stack: [] }
      }
    }
  }

  async snapshot(): Promise<Snapshot> {
    return new Map((await this.states.list()).map(({ address, current }) => [keyOf(address), current]))
  }

  /** The accounts that were used so far. */
  accounts(): Promise<FollowedAccount[]> {
    return this.states.list()
  }

  blockOf = ({ block, shardBlock }: Pick<EmulatedTransaction, 'block' | 'shardBlock'>): ExpectedBlock => ({
    seqno: shardBlock.seqno + block,
    mcSeqno: this.block.seqno + block,
  })

  private readonly momentOf = ({ genUtime, genLt }: FollowedAccount, block: number): Moment => {
    const { now, lt, clock, randomSeed } = this.options
    const lag = clock - genUtime
    // The next block is not older than the clock, unless the chain has a time of its own.
    const start = this.isHead && lag > BLOCK_SECONDS && lag <= MAX_LAG_S ? clock - BLOCK_SECONDS : genUtime
    const chance = (randomSeed[0] ?? 0) / 256
    return {
      now: this.passed + (now ?? Math.floor(start + BLOCK_SECONDS * block + chance)),
      lt: (lt ?? (genLt / LT_STEP + BigInt(block)) * LT_STEP) + 1n,
    }
  }

  private noteBlocks(transactions: readonly EmulatedTransaction[]): void {
    for (const { block } of transactions) this.lastBlock = Math.max(this.lastBlock, block)
  }
}

type MethodResult = Pick<MethodRun, 'exitCode' | 'gasUsed' | 'stack'>

/** Whether the account asks for the call. */
const isSpecial = ({ account }: ShardAccount, kind: 'tick' | 'tock'): boolean => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' && opened.state.init.special?.[kind] === true
}

const keyOf = (address: Address): string => toHex(addressKeyOf(address))

const stateAt = ({ address, current, initial }: FollowedAccount, before: Snapshot | undefined): ShardAccount =>
  before === undefined ? current : (before.get(keyOf(address)) ?? initial)

const findStart = async (node: LiveNode, at: StartingPoint): Promise<BlockIdExt> => {
  if (at === undefined) return node.getHead()
  if ('before' in at) return at.before.master
  const shard = { workchain: masterchain, shard: wholeShard }
  const head = await node.getHead()
  if ('seqno' in at) {
    if (at.seqno > head.seqno) throw new BlockTooNewError()
    if (at.seqno === head.seqno) return head
    return (await notKept({ seqno: at.seqno }, at, () => node.lookupBlock(shard, { seqno: at.seqno }))).id
  }
  const { info: newest } = await node.getBlockHeader(head)
  if (newest.genUtime <= at.utime) return head
  const first = await notKept({ seqno: 0 }, at, () => node.lookupBlock(shard, { utime: at.utime }))
  if (first.info.genUtime <= at.utime || first.id.seqno === 0) return first.id
  return (await node.lookupBlock(shard, { seqno: first.id.seqno - 1 })).id
}

/** Nodes forget old states: what they refuse to tell of one is not there any more. */
const notKept = async <T>(block: Pick<BlockIdExt, 'seqno'>, at: StartingPoint, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const isRefused = error instanceof CodedError && (error.code === 'node_refused' || error.code === 'block_not_found')
    if (at === undefined || !isRefused || error.retryable) throw error
    throw new StateNotKeptError(`failed to fetch mc block  ${block.seqno}: ${error.message}`)
  }
}
