import type { LiveNode } from '../chain/LiveChain.ts'
import type { RunContext, VirtualMachine } from '../chain/ports.ts'
import { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { accountNoneCell, openAccount } from '../codec/tlb/Account.ts'
import { type ConfigDict, configDictType, findConfigParam } from '../codec/tlb/config/configParams.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../codec/tlb/Transaction.ts'
import { type Address, addressKeyOf } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { compareBytes } from '../primitives/bytes.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'

/** An account after the emulated transactions so far. */
export type FollowedAccount = {
  readonly address: Address
  current: ShardAccount
  /** Of the initial state. */
  readonly shard: bigint
  readonly genUtime: number
  readonly genLt: bigint
}

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** Account states after a masterchain block, each fetched once. Emulation changes them here only. */
export class AccountStates {
  readonly #node: LiveNode
  readonly #block: BlockIdExt
  readonly #accounts = new Map<string, Promise<FollowedAccount | undefined>>()

  constructor(node: LiveNode, block: BlockIdExt) {
    this.#node = node
    this.#block = block
  }

  /** Prefetches an account. `get` reports failures. */
  expect(address: Address): void {
    this.find(address).catch(() => undefined)
  }

  /** `undefined` if the workchain does not exist. */
  find(address: Address): Promise<FollowedAccount | undefined> {
    const key = toHex(addressKeyOf(address))
    let account = this.#accounts.get(key)
    if (account === undefined) {
      account = this.#ask(address)
      this.#accounts.set(key, account)
    }
    return account
  }

  async #ask(address: Address): Promise<FollowedAccount | undefined> {
    const { shardBlock, found, genUtime, genLt } = await this.#node.getAccountState(address, this.#block)
    if (shardBlock === undefined) return undefined
    const current =
      found === undefined
        ? NO_ACCOUNT
        : { account: found.account, lastTransHash: found.lastTransaction.hash, lastTransLt: found.lastTransaction.lt }
    return { address, current, shard: shardBlock.shard, genUtime, genLt }
  }
}

/** VM context of transactions after a masterchain block. */
export type ChainContext = {
  readonly block: BlockIdExt
  readonly context: Omit<RunContext, 'now'>
  /** Whether messages have extra_flags instead of the IHR fee. */
  readonly hasExtraFlags: boolean
}

const globalVersionParam = 8
const EXTRA_FLAGS_VERSION = 12
const NO_SEED = new Uint8Array(32)

/** Reads it, with the configuration cached by hash: it is large and rarely changes. */
export class ChainContexts {
  #kept: { readonly key: string; readonly config: Cell } | undefined
  /** Cached per block, since many messages are emulated after the same one. Libraries are fetched from a node. */
  #last:
    | { readonly key: string; readonly version: number; readonly context: Omit<RunContext, 'now' | 'findLibrary'> }
    | undefined

  async get(node: LiveNode, block: BlockIdExt): Promise<ChainContext> {
    const findLibrary = async (hash: Uint8Array): Promise<Cell | undefined> => {
      const [found] = await node.getPublicLibraries([hash], block)
      return found?.library
    }
    const { version, context } = await this.#find(node, block)
    return { block, context: { ...context, findLibrary }, hasExtraFlags: version >= EXTRA_FLAGS_VERSION }
  }

  async #find(node: LiveNode, block: BlockIdExt) {
    const key = toHex(block.rootHash)
    if (this.#last?.key === key) return this.#last
    const [part, previousBlocks] = await Promise.all([
      node.getConfig([globalVersionParam], block),
      node.getPreviousBlocks(block),
    ])
    const config = await this.#configOf(node, block, toHex(rootOf(part).hash(0)))
    const version = findConfigParam(new Dict(configDictType, config), globalVersionParam)?.version ?? 0
    const found = { key, version, context: { config, randomSeed: NO_SEED, previousBlocks } }
    this.#last = found
    return found
  }

  async #configOf(node: LiveNode, block: BlockIdExt, key: string): Promise<Cell> {
    if (this.#kept?.key === key) return this.#kept.config
    const config = rootOf(await node.getConfig(undefined, block))
    this.#kept = { key, config }
    return config
  }
}

const rootOf = ({ root }: ConfigDict): Cell => {
  if (root instanceof Cell) return root
  throw new TypeError('The configuration of a proof must be a whole cell.')
}

/** Limits of an emulation. */
export type EmulationLimits = {
  readonly transactions: number
  /** Depth of the trace. */
  readonly depth: number
  readonly gas: bigint
  readonly timeMs: number
}

export type EmulatedTransaction = {
  readonly address: Address
  readonly shard: bigint
  readonly cell: Cell
  readonly transaction: Transaction
  readonly outMessages: readonly Cell[]
  readonly before: ShardAccount
  readonly after: ShardAccount
}

export type Emulation = {
  /** In order of execution. */
  readonly transactions: readonly EmulatedTransaction[]
  /** The limits were reached before the end of the trace. */
  readonly isIncomplete: boolean
  /** The external-in message was refused; there are no transactions. */
  readonly isRefused: boolean
}

export type EmulationParts = {
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly place: ChainContext
  readonly states: AccountStates
  /** Unix time of the chain, if the clock is more accurate than the newest state. */
  readonly now: number
  readonly limits: EmulationLimits
}

type Waiting = {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly to: Address
  readonly depth: number
}

/** A state that is further behind the clock belongs to a chain with its own time. */
const MAX_LAG_S = 120
const LT_STEP = 1_000_000n

/** Emulates messages and all that they trigger, by logical time. Nothing is sent. */
export const emulate = async (parts: EmulationParts, messages: readonly Cell[]): Promise<Emulation> => {
  const { states, limits } = parts
  const deadline = AbortSignal.timeout(limits.timeMs)
  const waiting: Waiting[] = []
  const transactions: EmulatedTransaction[] = []
  let gas = 0n
  let isIncomplete = false
  const wait = (cell: Cell, depth: number): void => {
    const info = readCommonMsgInfo(openCell(cell))
    if (info.kind === 'externalOut') return
    const to = findStandardAddress(info.destination)
    if (to === undefined || depth > limits.depth) isIncomplete = true
    else {
      states.expect(to)
      waiting.push({ cell, hash: cell.hash(), lt: info.kind === 'internal' ? info.createdLt : 0n, to, depth })
    }
  }
  for (const message of messages) wait(message, 1)
  while (waiting.length > 0) {
    if (transactions.length >= limits.transactions || gas >= limits.gas || deadline.aborted) {
      return { transactions, isIncomplete: true, isRefused: false }
    }
    const message = takeFirst(waiting)
    const run = await runMessage(parts, message, deadline)
    if (run === 'refused') return { transactions, isIncomplete, isRefused: true }
    if (run === undefined) {
      isIncomplete = true
      continue
    }
    transactions.push(run)
    gas += gasOf(run.transaction)
    for (const sent of run.outMessages) wait(sent, message.depth + 1)
  }
  return { transactions, isIncomplete, isRefused: false }
}

/** The queue is short. */
const takeFirst = (waiting: Waiting[]): Waiting => {
  let first = 0
  for (let k = 1; k < waiting.length; k++) if (isBefore(waiting[k]!, waiting[first]!)) first = k
  return waiting.splice(first, 1)[0]!
}

const isBefore = (a: Waiting, b: Waiting): boolean => (a.lt === b.lt ? compareBytes(a.hash, b.hash) < 0 : a.lt < b.lt)

/** `undefined` if the account is unavailable, or the VM gave up. */
const runMessage = async (
  { vm, place, states, now }: EmulationParts,
  { cell: message, to }: Waiting,
  signal: AbortSignal,
): Promise<EmulatedTransaction | 'refused' | undefined> => {
  const account = await states.find(to)
  if (account === undefined) return undefined
  const { current: before, genUtime, genLt } = account
  try {
    const run = await vm.runTransaction(
      {
        account: before,
        cause: { kind: 'message', message },
        // The expected start lt of the next block.
        lt: (genLt / LT_STEP + 1n) * LT_STEP + 1n,
        context: { ...place.context, now: now - genUtime > MAX_LAG_S ? genUtime : Math.max(now, genUtime) },
        ignoreSignatures: false,
        foreign: hasCode(before) ? 'call' : 'code',
        log: 'none',
      },
      signal,
    )
    if (run.kind === 'notAccepted') return 'refused'
    account.current = run.account
    const transaction = readWhole(run.transaction, readTransaction, 'A transaction')
    const outMessages = listOutMsgs(transaction)
    return {
      address: to,
      shard: account.shard,
      cell: run.transaction,
      transaction,
      outMessages,
      before,
      after: run.account,
    }
  } catch (error) {
    if (signal.aborted) return undefined
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}

const hasCode = ({ account }: ShardAccount): boolean => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' && opened.state.init.code !== undefined
}

const gasOf = ({ description }: Transaction): bigint =>
  'computePhase' in description && description.computePhase.kind === 'vm' ? description.computePhase.gasUsed : 0n
