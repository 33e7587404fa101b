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

/** An account as transactions that were foreseen have left it so far. */
export type FollowedAccount = {
  readonly address: Address
  current: ShardAccount
  /** Of the state that it began with. */
  readonly shard: bigint
  readonly genUtime: number
  readonly genLt: bigint
}

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** Accounts after a masterchain block, each asked for once. What runs on them changes them here only. */
export class AccountStates {
  readonly #node: LiveNode
  readonly #block: BlockIdExt
  readonly #accounts = new Map<string, Promise<FollowedAccount | undefined>>()

  constructor(node: LiveNode, block: BlockIdExt) {
    this.#node = node
    this.#block = block
  }

  /** Asks for it ahead of time. Whoever gets it is told what went wrong. */
  expect(address: Address): void {
    this.find(address).catch(() => undefined)
  }

  /** `undefined` where there is no such workchain. */
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

/** What surrounds transactions that follow a masterchain block. */
export type RunPlace = {
  readonly block: BlockIdExt
  readonly context: Omit<RunContext, 'now'>
  /** Messages have extra flags where they had a fee for instant routing before. */
  readonly hasExtraFlags: boolean
}

const globalVersionParam = 8
const EXTRA_FLAGS_VERSION = 12
const NO_SEED = new Uint8Array(32)

/** Finds that out. The configuration is large and seldom changes: it is read again where its hash is another. */
export class RunPlaces {
  #kept: { readonly key: string; readonly config: Cell } | undefined
  /** Many messages are foreseen after the same block. It asks a node of its own for libraries. */
  #last:
    | { readonly key: string; readonly version: number; readonly context: Omit<RunContext, 'now' | 'findLibrary'> }
    | undefined

  async get(node: LiveNode, block: BlockIdExt): Promise<RunPlace> {
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
  throw new TypeError('A proven configuration stands in a cell of its own.')
}

/** How far it is looked ahead. */
export type EmulationLimits = {
  readonly transactions: number
  /** Transactions one after another. */
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
  /** In the order in which they ran. */
  readonly transactions: readonly EmulatedTransaction[]
  /** There would be more to come. */
  readonly isIncomplete: boolean
  /** The message that comes from outside was not taken; then there is nothing. */
  readonly isRefused: boolean
}

export type EmulationParts = {
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly place: RunPlace
  readonly states: AccountStates
  /** Seconds of the chain, where the clock is to be believed more than the newest state. */
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

/** So much further than the state may be behind the clock without being that of a chain with a time of its own. */
const MAX_LAG_S = 120
const LT_STEP = 1_000_000n

/** Runs messages and all that follows from them, by logical time. Nothing of it is sent anywhere. */
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

/** There are few of them at a time. */
const takeFirst = (waiting: Waiting[]): Waiting => {
  let first = 0
  for (let k = 1; k < waiting.length; k++) if (isBefore(waiting[k]!, waiting[first]!)) first = k
  return waiting.splice(first, 1)[0]!
}

const isBefore = (a: Waiting, b: Waiting): boolean => (a.lt === b.lt ? compareBytes(a.hash, b.hash) < 0 : a.lt < b.lt)

/** `undefined` where nobody can tell what happens: the account is not to be had, or the machine gave up. */
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
        // Where the next block is likely to begin.
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
