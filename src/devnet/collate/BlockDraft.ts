import type { RunContext, TransactionCall, TransactionRun, VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { VisitedCells } from '../../codec/cell/HashIndex.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import { addCurrency, type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { BlockLimits } from '../../codec/tlb/config/limits.ts'
import { type InMsg, writeInMsg } from '../../codec/tlb/InMsgDescr.ts'
import { type IntMsgInfo, readCommonMsgInfo } from '../../codec/tlb/Message.ts'
import { type MsgEnvelope, type MsgMetadata, writeMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { OutMsg } from '../../codec/tlb/OutMsgDescr.ts'
import type { OutMsgQueueKey } from '../../codec/tlb/OutMsgQueueInfo.ts'
import type { ShardAccount, ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { BaseState } from './BaseState.ts'
import type { NetworkRules } from './MasterView.ts'
import { compareMessages, type MessagePosition, routeFrom } from './messageQueue.ts'
import { type AccountGaps, MissingAccountError } from './StepRequest.ts'

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** An account while a block is made. */
export type CachedAccount = {
  readonly hash: Uint8Array
  /** As the state before has it; `undefined` where it does not. */
  readonly original: ShardAccount | undefined
  current: ShardAccount
  /** The lt behind its last transaction. An account that was not there keeps none in its state. */
  endLt: bigint
  readonly transactions: [lt: bigint, transaction: Cell][]
}

/** The accounts that a block has to do with. */
export class AccountCache {
  private readonly accounts: ShardAccounts
  private readonly booked = new Map<string, CachedAccount>()

  constructor(accounts: ShardAccounts) {
    this.accounts = accounts
  }

  get(hash: Uint8Array): CachedAccount {
    const key = toHex(hash)
    const known = this.booked.get(key)
    if (known !== undefined) return known
    const original = this.accounts.find(hash)
    const account = { hash: hash.slice(), original, current: original ?? NO_ACCOUNT, endLt: 0n, transactions: [] }
    this.booked.set(key, account)
    return account
  }

  /** Those that changed or ran, in the order of their addresses. */
  list(): CachedAccount[] {
    return [...this.booked.entries()]
      .filter(
        ([, { original, current, transactions }]) => transactions.length > 0 || current !== (original ?? NO_ACCOUNT),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, account]) => account)
  }
}

export const isAbsent = ({ account }: ShardAccount): boolean => openAccount(account).kind === 'none'

/** An internal message that a transaction of the block under way has sent. */
export type NewMessage = {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly info: IntMsgInfo
  readonly transaction: Cell
  readonly metadata: MsgMetadata | undefined
}

/** New messages, the one that is next by lt and hash on top. */
export class MessageHeap {
  private readonly items: NewMessage[] = []

  get size(): number {
    return this.items.length
  }

  /** In no particular order. */
  list(): readonly NewMessage[] {
    return this.items
  }

  peek(): NewMessage | undefined {
    return this.items[0]
  }

  push(message: NewMessage): void {
    const { items } = this
    let at = items.push(message) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (compareMessages(items[parent]!, message) <= 0) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = message
  }

  pop(): NewMessage | undefined {
    const { items } = this
    const top = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && compareMessages(items[child + 1]!, items[child]!) < 0) child++
      if (compareMessages(last, items[child]!) <= 0) break
      items[at] = items[child]!
      at = child
    }
    items[at] = last
    return top
  }
}

/** What a block is made under. */
export type DraftContext = {
  readonly base: BaseState
  readonly rules: NetworkRules
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly run: RunContext
  readonly startLt: bigint
  readonly limits: BlockLimits
  readonly gaps: AccountGaps | undefined
}

/** What set off a transaction: it decides what is known of where the messages that it sends come from. */
export type Origin = 'start' | { readonly metadata: MsgMetadata | undefined }

export type Executed = { readonly account: CachedAccount; readonly cell: Cell; readonly transaction: Transaction }

/** How a queue changes: a message more, or one less. */
export type QueueChange =
  | { readonly kind: 'add'; readonly key: OutMsgQueueKey; readonly enqueuedLt: bigint; readonly envelope: Cell }
  | { readonly kind: 'remove'; readonly key: OutMsgQueueKey }

/** A fetch from the forked network failed during a run. */
const isUnavailable = (error: unknown): boolean => error instanceof CodedError && error.code === 'fork_unavailable'

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
  readonly accounts: AccountCache
  readonly newMessages = new MessageHeap()
  readonly inMsgs = new Map<string, readonly [Uint8Array, InMsg]>()
  readonly outMsgs = new Map<string, readonly [Uint8Array, OutMsg]>()
  readonly queueChanges: QueueChange[] = []
  /** The end lt of the block so far. */
  maxLt: bigint
  /** The internal message furthest in the order of queues that was met. */
  lastInternal: MessagePosition | undefined = undefined
  minted: CurrencyCollection = ZERO_CURRENCY
  burned: CurrencyCollection = ZERO_CURRENCY
  transactions = 0
  userTransactions = 0
  /** A message waits for its account: all later internal ones wait behind it. */
  isHolding = false
  private gas = 0
  private bytes = 0

  constructor(context: DraftContext) {
    this.context = context
    this.accounts = new AccountCache(context.base.accounts)
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
  async run(account: CachedAccount, cause: TransactionCall['cause'], minLt: bigint): Promise<TransactionRun> {
    const { vm, run: context } = this.context
    const lt = account.endLt > minLt ? account.endLt : minLt
    const call = { account: account.current, cause, lt, context, ignoreSignatures: false, log: 'none' } as const
    if (this.context.gaps === undefined) return vm.runTransaction(call)
    try {
      return await vm.runTransaction(call)
    } catch (cause) {
      if (!isUnavailable(cause)) throw cause
      throw new MissingAccountError([this.addressOf(account.hash)], { cause })
    }
  }

  /** Requires the accounts of messages to be in the state, apart from those that messages are held for. */
  expectKnown(accounts: () => readonly Uint8Array[]): void {
    const { gaps } = this.context
    if (gaps === undefined) return
    const missing = new Map<string, Uint8Array>()
    for (const hash of accounts()) {
      const address = this.addressOf(hash)
      if (!gaps.isKnown(address) && !gaps.isHeld(address)) missing.set(toHex(hash), hash.slice())
    }
    if (missing.size > 0) throw new MissingAccountError(Array.from(missing.values(), (hash) => this.addressOf(hash)))
  }

  /** Whether a message to the account has to wait. */
  isHeld(hash: Uint8Array): boolean {
    return this.context.gaps?.isHeld(this.addressOf(hash)) ?? false
  }

  private addressOf(hash: Uint8Array) {
    return { workchain: this.context.base.ident.workchain, hash }
  }

  /** Takes up a transaction: the account is as it left it, and its messages wait to be delivered. */
  take(account: CachedAccount, run: Extract<TransactionRun, { kind: 'executed' }>, origin: Origin): Executed {
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
  pass(position: MessagePosition): void {
    if (this.lastInternal === undefined || compareMessages(position, this.lastInternal) > 0)
      this.lastInternal = position
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
