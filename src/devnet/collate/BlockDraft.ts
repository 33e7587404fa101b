import type { RunContext, TransactionCall, TransactionRun, VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { VisitedCells } from '../../codec/cell/HashIndex.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { addCurrency, type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { BlockLimits } from '../../codec/tlb/config/limits.ts'
import { type InMsg, writeInMsg } from '../../codec/tlb/InMsgDescr.ts'
import { readCommonMsgInfo } from '../../codec/tlb/Message.ts'
import { type MsgEnvelope, type MsgMetadata, writeMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { OutMsg } from '../../codec/tlb/OutMsgDescr.ts'
import type { OutMsgQueueKey } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import { toHex } from '../../primitives/hex.ts'
import { AccountBook, type BookedAccount } from './AccountBook.ts'
import type { BaseState } from './BaseState.ts'
import { MessageHeap, type NewMessage } from './MessageHeap.ts'
import type { NetworkRules } from './NetworkRules.ts'
import { compareMessages, type MessagePlace } from './QueuedMessage.ts'
import { routeFrom } from './route.ts'

/** What a block is made under. */
export type DraftContext = {
  readonly base: BaseState
  readonly rules: NetworkRules
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly run: RunContext
  readonly startLt: bigint
  readonly limits: BlockLimits
}

/** What set off a transaction: it decides what is known of where the messages that it sends come from. */
export type Origin = 'start' | { readonly metadata: MsgMetadata | undefined }

export type Executed = { readonly account: BookedAccount; readonly cell: Cell; readonly transaction: Transaction }

/** How a queue changes: a message more, or one less. */
export type QueueChange =
  | { readonly kind: 'add'; readonly key: OutMsgQueueKey; readonly enqueuedLt: bigint; readonly envelope: Cell }
  | { readonly kind: 'remove'; readonly key: OutMsgQueueKey }

/** More would make a block that takes clients long to read. */
const MAX_TRANSACTIONS = 4096

/** About as many bytes as a bag of the tree has. */
const countBytes = (root: Cell): number => {
  const seen = new VisitedCells()
  let bytes = 0
  const visit = (cell: Cell): void => {
    if (seen.has(cell)) return
    seen.add(cell.arena, cell.index)
    const { refCount } = cell
    bytes += 2 + ((cell.bits + 7) >> 3) + refCount
    for (let k = 0; k < refCount; k++) visit(cell.ref(k))
  }
  visit(root)
  return bytes
}

/** A block under way: what ran so far, and which messages came in and left. */
export class BlockDraft {
  readonly context: DraftContext
  readonly accounts: AccountBook
  readonly newMessages = new MessageHeap()
  readonly inMsgs = new Map<string, readonly [Uint8Array, InMsg]>()
  readonly outMsgs = new Map<string, readonly [Uint8Array, OutMsg]>()
  readonly queueChanges: QueueChange[] = []
  /** The end lt of the block so far. */
  maxLt: bigint
  /** The internal message furthest in the order of queues that was met. */
  lastInternal: MessagePlace | undefined = undefined
  minted: CurrencyCollection = ZERO_CURRENCY
  burned: CurrencyCollection = ZERO_CURRENCY
  transactions = 0
  userTransactions = 0
  private gas = 0
  private bytes = 0

  constructor(context: DraftContext) {
    this.context = context
    this.accounts = new AccountBook(context.base.accounts)
    this.maxLt = context.startLt + 1n
  }

  /** No more transactions should be added. */
  get isFull(): boolean {
    const { gas, ltDelta, bytes } = this.context.limits
    return (
      this.gas >= gas.soft ||
      this.bytes >= bytes.soft ||
      this.ltDelta >= ltDelta.soft ||
      this.transactions >= MAX_TRANSACTIONS
    )
  }

  get isUnderloaded(): boolean {
    const { gas, ltDelta, bytes } = this.context.limits
    return this.gas < gas.underload && this.bytes < bytes.underload && this.ltDelta < ltDelta.underload
  }

  private get ltDelta(): number {
    return Number(this.maxLt - this.context.startLt)
  }

  /** Runs a message or a tick on an account, without taking the outcome up. */
  async run(account: BookedAccount, cause: TransactionCall['cause'], minLt: bigint): Promise<TransactionRun> {
    const { vm, run: context } = this.context
    const lt = account.endLt > minLt ? account.endLt : minLt
    return vm.runTransaction({ account: account.current, cause, lt, context, ignoreSignatures: false, log: 'none' })
  }

  /** Takes up a transaction: the account is as it left it, and its messages wait to be delivered. */
  take(account: BookedAccount, run: Extract<TransactionRun, { kind: 'executed' }>, origin: Origin): Executed {
    const { transaction: cell } = run
    const transaction = readTransaction(openCell(cell))
    account.current = run.account
    account.transactions.push([transaction.lt, cell])
    account.endLt = transaction.lt + 1n + BigInt(transaction.outMsgCount)
    if (account.endLt > this.maxLt) this.maxLt = account.endLt
    this.transactions++
    this.count(transaction, cell)
    const metadata = this.metadataFor(transaction, origin)
    for (const message of listOutMsgs(transaction)) this.send(message, cell, metadata)
    return { account, cell, transaction }
  }

  private count({ description }: Transaction, cell: Cell): void {
    if ('computePhase' in description && description.computePhase.kind === 'vm') {
      this.gas += Number(description.computePhase.gasUsed)
    }
    if (description.kind === 'ord') this.userTransactions++
    this.bytes += countBytes(cell)
  }

  private metadataFor({ accountAddr, lt }: Transaction, origin: Origin): MsgMetadata | undefined {
    const { rules, base } = this.context
    if (!rules.hasMetadata) return undefined
    if (origin !== 'start') return origin.metadata && { ...origin.metadata, depth: origin.metadata.depth + 1 }
    const { workchain } = base.ident
    const initiatorAddr = { kind: 'std', workchain, hash: accountAddr, anycast: undefined } as const
    return { depth: 0, initiatorAddr, initiatorLt: lt }
  }

  private send(cell: Cell, transaction: Cell, metadata: MsgMetadata | undefined): void {
    const info = readCommonMsgInfo(openCell(cell))
    const hash = cell.hash()
    if (info.kind === 'internal') {
      this.newMessages.push({ cell, hash, lt: info.createdLt, info, transaction, metadata })
    } else this.addOut(hash, { kind: 'external', msg: cell, transaction })
  }

  addIn(hash: Uint8Array, message: InMsg): Cell {
    this.inMsgs.set(toHex(hash), [hash, message])
    return writeWhole(writeInMsg, message)
  }

  addOut(hash: Uint8Array, message: OutMsg): void {
    this.outMsgs.set(toHex(hash), [hash, message])
  }

  /** Notes that a message was met in the order of queues. */
  pass(place: MessagePlace): void {
    if (this.lastInternal === undefined || compareMessages(place, this.lastInternal) > 0) this.lastInternal = place
  }

  /** Puts a new message into its first envelope. */
  envelop({ cell, info, metadata }: NewMessage): { readonly envelope: Cell; readonly key: OutMsgQueueKey } {
    const route = routeFrom(this.context.base.ident, info)
    const envelope: MsgEnvelope = {
      version: metadata === undefined ? 1 : 2,
      curAddr: route.current,
      nextAddr: route.next,
      fwdFeeRemaining: info.fwdFee,
      msg: cell,
      emittedLt: undefined,
      metadata,
    }
    return { envelope: writeWhole(writeMsgEnvelope, envelope), key: { ...route.hop, hash: cell.hash() } }
  }

  enqueue(message: NewMessage): void {
    const { envelope, key } = this.envelop(message)
    this.addOut(message.hash, { kind: 'new', outMsg: envelope, transaction: message.transaction })
    this.queueChanges.push({ kind: 'add', key, enqueuedLt: message.lt, envelope })
  }

  mint(value: CurrencyCollection): void {
    this.minted = addCurrency(this.minted, value)
  }

  burn(value: CurrencyCollection): void {
    this.burned = addCurrency(this.burned, value)
  }
}
