import type { VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../codec/tlb/Transaction.ts'
import type { Address } from '../primitives/Address.ts'
import { compareBytes } from '../primitives/bytes.ts'
import { CodedError } from '../primitives/errors.ts'
import type { AccountStates } from './AccountStates.ts'
import type { RunPlace } from './RunPlaces.ts'

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
