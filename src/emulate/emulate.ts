import type { TransactionCall, VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import type { CurrencyCollection } from '../codec/tlb/CurrencyCollection.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../codec/tlb/Transaction.ts'
import type { Address } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { compareBytes } from '../primitives/bytes.ts'
import { CodedError } from '../primitives/errors.ts'
import type { AccountStates, ChainContext, FollowedAccount } from './World.ts'

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
  /** Block of the initial state of the account. */
  readonly shardBlock: BlockIdExt
  /** Number of the block after the initial state in which the transaction is expected. */
  readonly block: number
  readonly cell: Cell
  readonly transaction: Transaction
  readonly outMessages: readonly Cell[]
  readonly before: ShardAccount
  readonly after: ShardAccount
  /** `before` is an override: it is in no chain. */
  readonly isOverridden: boolean
  /** The call that makes it. */
  readonly call: TransactionCall
}

/** Why an emulation ended before the trace did. */
export type IncompleteReason = 'transactions' | 'depth' | 'gas' | 'time' | 'library' | 'failure'

/** A message that nobody received, because the emulation ended before. */
export type UndeliveredMessage = {
  readonly cell: Cell
  readonly to: Address | undefined
  /** Absent for an external-in message. */
  readonly value: CurrencyCollection | undefined
}

export type Emulation = {
  /** In order of execution. */
  readonly transactions: readonly EmulatedTransaction[]
  /** The limits were reached before the end of the trace. */
  readonly isIncomplete: boolean
  readonly reason?: IncompleteReason | undefined
  readonly undelivered?: readonly UndeliveredMessage[]
  /** The external-in message was refused; there are no transactions. */
  readonly isRefused: boolean
  /** The run that refused it. */
  readonly refused?: RefusedRun
}

/** A contract, or the rules before it runs, did not accept an external-in message. */
export type RefusedRun = {
  readonly address: Address
  readonly call: TransactionCall
  /** `undefined` if the contract did not run. */
  readonly exitCode: number | undefined
}

/** When a transaction takes place. */
export type Moment = {
  /** Unix time. */
  readonly now: number
  /** The least logical time. */
  readonly lt: bigint
}

export type EmulationParts = {
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly place: ChainContext
  readonly states: AccountStates
  readonly limits: EmulationLimits
  /** The moment of an account's block, counted from the initial state. */
  readonly momentOf: (account: FollowedAccount, block: number) => Moment
  /** The block of the first message; by default 1. */
  readonly firstBlock?: number
  /** Blocks until a message arrives in another shard; by default it arrives in the same block, as all do. */
  readonly hopBlocks?: number
  /** Which signatures count as right. */
  readonly ignoreSignatures?: 'none' | 'first' | 'all'
  /** A failure of nodes or of the VM makes the emulation incomplete instead of failing it. */
  readonly toleratesFailures?: boolean
  readonly signal?: AbortSignal
}

type Waiting = {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly value: CurrencyCollection | undefined
  readonly to: Address
  readonly depth: number
  /** The block that it is expected in. */
  readonly block: number
}

type Refused = { readonly refused: RefusedRun }

/** Emulates messages and all that they trigger, by block, then by logical time. Nothing is sent. */
export const emulate = async (parts: EmulationParts, messages: readonly Cell[]): Promise<Emulation> => {
  const { states, limits, firstBlock = 1, hopBlocks = 0 } = parts
  const time = AbortSignal.timeout(limits.timeMs)
  const signal = parts.signal === undefined ? time : AbortSignal.any([time, parts.signal])
  const waiting: Waiting[] = []
  const transactions: EmulatedTransaction[] = []
  const undelivered: UndeliveredMessage[] = []
  const libraries = watchLibraries(parts.place)
  let gas = 0n
  let reason: IncompleteReason | undefined
  const leave = ({ cell, to, value }: UndeliveredMessage, why: IncompleteReason): void => {
    undelivered.push({ cell, to, value })
    reason ??= why
  }
  const wait = async (cell: Cell, depth: number, sender?: EmulatedTransaction): Promise<void> => {
    const info = readCommonMsgInfo(openCell(cell))
    if (info.kind === 'externalOut') return
    const to = findStandardAddress(info.destination)
    const value = info.kind === 'internal' ? info.value : undefined
    if (to === undefined || depth > limits.depth) return leave({ cell, to, value }, 'depth')
    states.expect(to)
    const lt = info.kind === 'internal' ? info.createdLt : 0n
    const block = sender === undefined ? firstBlock : await arrival(to, sender)
    waiting.push({ cell, hash: cell.hash(), lt, value, to, depth, block })
  }
  const arrival = async (to: Address, sender: EmulatedTransaction): Promise<number> => {
    if (hopBlocks === 0) return sender.block
    const shard = (await states.find(to))?.shardBlock
    const isSame = shard?.workchain === sender.shardBlock.workchain && shard.shard === sender.shardBlock.shard
    return isSame ? sender.block : sender.block + hopBlocks
  }
  const finish = (): Emulation => {
    reason ??= libraries.isMissing() ? 'library' : undefined
    return { transactions, isIncomplete: reason !== undefined, reason, undelivered, isRefused: false }
  }
  for (const message of messages) await wait(message, 1)
  while (waiting.length > 0) {
    const limit = reachedLimit(limits, transactions.length, gas, time)
    if (limit !== undefined) {
      for (const message of waiting) leave(message, limit)
      return finish()
    }
    parts.signal?.throwIfAborted()
    const message = takeFirst(waiting)
    const run = await runMessage({ ...parts, place: libraries.place }, message, transactions.length === 0, signal)
    if (typeof run === 'string') {
      leave(message, run)
      continue
    }
    if ('refused' in run) {
      return { ...finish(), isRefused: true, refused: run.refused }
    }
    transactions.push(run)
    gas += gasOf(run.transaction)
    for (const sent of run.outMessages) await wait(sent, message.depth + 1, run)
  }
  return finish()
}

const reachedLimit = (
  limits: EmulationLimits,
  transactions: number,
  gas: bigint,
  time: AbortSignal,
): IncompleteReason | undefined => {
  if (transactions >= limits.transactions) return 'transactions'
  if (gas >= limits.gas) return 'gas'
  return time.aborted ? 'time' : undefined
}

/** Notes libraries that a run asked for and nobody has. */
const watchLibraries = (place: ChainContext): { readonly place: ChainContext; isMissing(): boolean } => {
  const { findLibrary } = place.context
  let isMissing = false
  const context: ChainContext['context'] = {
    ...place.context,
    findLibrary: async (hash) => {
      const library = await findLibrary?.(hash)
      isMissing ||= library === undefined
      return library
    },
  }
  return { place: { ...place, context }, isMissing: () => isMissing }
}

/** The queue is short. */
const takeFirst = (waiting: Waiting[]): Waiting => {
  let first = 0
  for (let k = 1; k < waiting.length; k++) if (isBefore(waiting[k]!, waiting[first]!)) first = k
  return waiting.splice(first, 1)[0]!
}

const isBefore = (a: Waiting, b: Waiting): boolean => {
  if (a.block !== b.block) return a.block < b.block
  return a.lt === b.lt ? compareBytes(a.hash, b.hash) < 0 : a.lt < b.lt
}

/** A reason if the account is unavailable, or the VM gave up. */
const runMessage = async (
  parts: EmulationParts,
  { cell: message, to, block }: Waiting,
  isFirst: boolean,
  signal: AbortSignal,
): Promise<EmulatedTransaction | Refused | IncompleteReason> => {
  const { ignoreSignatures = 'none', toleratesFailures = false } = parts
  try {
    const account = await parts.states.find(to)
    if (account === undefined) return 'failure'
    const isIgnored = ignoreSignatures === 'all' || (ignoreSignatures === 'first' && isFirst)
    return await runTransaction(parts, account, { kind: 'message', message }, block, isIgnored, signal)
  } catch (error) {
    if (parts.signal?.aborted === true) throw parts.signal.reason
    if (signal.aborted) return 'time'
    if (!(error instanceof CodedError)) throw error
    if (error.code === 'vm_timeout') return 'time'
    if (toleratesFailures) return 'failure'
    throw error
  }
}

/** Runs one transaction of an account, which then has the new state. */
export const runTransaction = async (
  { vm, place, momentOf }: Pick<EmulationParts, 'vm' | 'place' | 'momentOf'>,
  account: FollowedAccount,
  cause: TransactionCall['cause'],
  block: number,
  ignoreSignatures: boolean,
  signal: AbortSignal | undefined,
): Promise<EmulatedTransaction | Refused> => {
  const { address, current: before, shardBlock, isOverridden } = account
  const { now, lt } = momentOf(account, block)
  const call: TransactionCall = {
    account: before,
    cause,
    lt,
    context: { ...place.context, now },
    ignoreSignatures,
    foreign: hasCode(before) ? 'call' : 'code',
    log: 'none',
  }
  const run = await vm.runTransaction(call, signal)
  if (run.kind === 'notAccepted') return { refused: { address, call, exitCode: run.exitCode } }
  account.current = run.account
  account.isOverridden = false
  const transaction = readWhole(run.transaction, readTransaction, 'A transaction')
  const outMessages = listOutMsgs(transaction)
  return {
    address,
    shardBlock,
    block,
    cell: run.transaction,
    transaction,
    outMessages,
    before,
    after: run.account,
    isOverridden,
    call,
  }
}

const hasCode = ({ account }: ShardAccount): boolean => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' && opened.state.init.code !== undefined
}

const gasOf = ({ description }: Transaction): bigint =>
  'computePhase' in description && description.computePhase.kind === 'vm' ? description.computePhase.gasUsed : 0n
