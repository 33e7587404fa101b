import type { AccountStatus, Address, Cell, ExternalAddress, Message, StateInit, Transaction } from '@ton/core'

/** A message that left the chain. */
export type ExternalOut = {
  readonly info: {
    readonly type: 'external-out'
    readonly src: Address
    readonly dest?: ExternalAddress | null | undefined
    readonly createdAt: number
    readonly createdLt: bigint
  }
  readonly init?: StateInit | null | undefined
  readonly body: Cell
}

/** A transaction of `@ton/core` with its neighbours in the trace. */
export type TestTransaction = Transaction & {
  /** The transaction that sent its incoming message; `undefined` for the first of a trace. */
  parent: TestTransaction | undefined
  children: TestTransaction[]
  externals: ExternalOut[]
  events: TestEvent[]
}

export type TestEvent =
  | { readonly type: 'account_created' | 'account_destroyed'; readonly account: Address }
  | {
      readonly type: 'message_sent'
      readonly from: Address
      readonly to: Address
      readonly value: bigint
      readonly body: Cell
      readonly bounced: boolean
    }

/** What a message did: all transactions of its trace, in the order of its messages. */
export type SendResult = {
  readonly transactions: TestTransaction[]
  readonly events: TestEvent[]
  readonly externals: ExternalOut[]
}

/** The members of a transaction by which tests look for it. */
export type FlatTransaction = {
  /** Sender of the incoming message; `undefined` for an external-in one. */
  readonly from: Address | undefined
  readonly to: Address | undefined
  /** The account of the transaction. */
  readonly on: Address | undefined
  readonly value: bigint | undefined
  /** Extra currencies of the incoming message: id and amount of each. */
  readonly ec: readonly (readonly [number, bigint])[] | undefined
  readonly body: Cell | undefined
  readonly inMessageBounced: boolean | undefined
  readonly inMessageBounceable: boolean | undefined
  /** The first 32 bits of the body; of a bounced one 0xffffffff. */
  readonly op: number | undefined
  readonly initData: Cell | undefined
  readonly initCode: Cell | undefined
  /** The account became active. */
  readonly deploy: boolean
  readonly lt: bigint
  readonly now: number
  readonly outMessagesCount: number
  readonly oldStatus: AccountStatus
  readonly endStatus: AccountStatus
  readonly totalFees: bigint
  readonly aborted: boolean | undefined
  readonly destroyed: boolean | undefined
  readonly exitCode: number | undefined
  readonly actionResultCode: number | undefined
  /** Compute phase and action phase ended well. */
  readonly success: boolean | undefined
  readonly gasUsed: bigint | undefined
}

export const flattenTransaction = (tx: Transaction): FlatTransaction => ({
  ...flattenMessage(tx.inMessage),
  ...flattenDescription(tx),
  on: tx.inMessage?.info.type === 'external-out' ? undefined : tx.inMessage?.info.dest,
  deploy: tx.oldStatus !== 'active' && tx.endStatus === 'active',
  lt: tx.lt,
  now: tx.now,
  outMessagesCount: tx.outMessagesCount,
  oldStatus: tx.oldStatus,
  endStatus: tx.endStatus,
  totalFees: tx.totalFees.coins,
})

type FlatMessage = Pick<
  FlatTransaction,
  'from' | 'to' | 'value' | 'ec' | 'body' | 'inMessageBounced' | 'inMessageBounceable' | 'op' | 'initData' | 'initCode'
>

const flattenMessage = (message: Message | null | undefined): FlatMessage => {
  const internal = message?.info.type === 'internal' ? message.info : undefined
  return {
    from: internal?.src,
    to: message?.info.type === 'external-out' ? undefined : message?.info.dest,
    value: internal?.value.coins,
    ec: internal && [...(internal.value.other ?? [])],
    body: message?.body,
    inMessageBounced: internal?.bounced,
    inMessageBounceable: internal?.bounce,
    op: message ? opOf(message.body) : undefined,
    initData: message?.init?.data ?? undefined,
    initCode: message?.init?.code ?? undefined,
  }
}

const opOf = (body: Cell): number | undefined => {
  const slice = body.beginParse(true)
  return slice.remainingBits < 32 ? undefined : slice.loadUint(32)
}

type FlatDescription = Pick<
  FlatTransaction,
  'aborted' | 'destroyed' | 'exitCode' | 'actionResultCode' | 'success' | 'gasUsed'
>

const flattenDescription = ({ description }: Transaction): FlatDescription => {
  if (description.type !== 'generic' && description.type !== 'tick-tock') {
    const nothing = { exitCode: undefined, actionResultCode: undefined, success: undefined, gasUsed: undefined }
    return { aborted: undefined, destroyed: undefined, ...nothing }
  }
  const { aborted, destroyed, computePhase, actionPhase } = description
  const ran = computePhase.type === 'vm' ? computePhase : undefined
  return {
    aborted,
    destroyed,
    exitCode: ran?.exitCode,
    actionResultCode: actionPhase?.resultCode,
    success: ran?.success === true && actionPhase?.success === true,
    gasUsed: ran?.gasUsed,
  }
}

/** What a transaction has to be like: a value for each member that matters, or a function that says whether its value will do. */
export type TransactionMatch = {
  readonly [Name in keyof FlatTransaction]?:
    | FlatTransaction[Name]
    | ((value: Exclude<FlatTransaction[Name], undefined>) => boolean)
}

/** A transaction, a list of them, or a result that has one. */
export type Transactions = Transaction | readonly Transaction[] | { readonly transactions: readonly Transaction[] }

export const listTransactions = (given: Transactions): readonly Transaction[] => {
  if (Array.isArray(given)) return given as readonly Transaction[]
  return 'transactions' in given ? given.transactions : [given as Transaction]
}

export const matchesTransaction = (tx: Transaction, match: TransactionMatch): boolean => {
  const flat: Readonly<Record<string, unknown>> = flattenTransaction(tx)
  return Object.entries(match).every(([name, wanted]) => {
    if (!(name in flat)) {
      throw new TypeError(`A transaction has no ${name}: expected one of ${Object.keys(flat).join(', ')}.`)
    }
    const value = flat[name]
    if (typeof wanted === 'function') return value !== undefined && (wanted as (value: unknown) => boolean)(value)
    return isEqual(value, wanted)
  })
}

/** Addresses and cells, also of another copy of their library, are equal by what they say of themselves. */
const isEqual = (value: unknown, wanted: unknown): boolean => {
  if (Object.is(value, wanted)) return true
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return value.length === wanted.length && value.every((item, at) => isEqual(item, wanted[at]))
  }
  if (typeof value !== 'object' || typeof wanted !== 'object' || value === null || wanted === null) return false
  return 'equals' in value && typeof value.equals === 'function' && value.equals(wanted) === true
}

/** The parts of a transaction that tell people which one it is. */
const SHOWN = ['from', 'to', 'value', 'op', 'deploy', 'success', 'aborted', 'exitCode', 'actionResultCode'] as const

export const describeTransaction = (tx: Transaction): string => {
  const flat = flattenTransaction(tx)
  return SHOWN.filter((name) => flat[name] !== undefined)
    .map((name) => `${name}: ${describeValue(name, flat[name])}`)
    .join(', ')
}

export const describeMatch = (match: TransactionMatch): string =>
  Object.entries(match)
    .map(([name, wanted]) => `${name}: ${describeValue(name, wanted)}`)
    .join(', ')

const describeValue = (name: string, value: unknown): string => {
  if (typeof value === 'function') return '(function)'
  return name === 'op' && typeof value === 'number' ? `0x${value.toString(16)}` : String(value)
}
