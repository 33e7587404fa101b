import { readWhole } from '../../codec/cell/wholeCell.ts'
import { unpackDescription } from '../../codec/stored/packDescription.ts'
import { readTransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import { ParseError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { parseOpcode } from '../../primitives/hex.ts'
import type { PendingTransaction } from '../../store/reader/pending.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import {
  type EventType,
  type Filters,
  filterLimits,
  type MessageKindFilter,
  messageKinds,
  readAddressKey,
  SubscriptionError,
  shownValue,
} from './Subscription.ts'

type GivenFilters = Readonly<Record<string, unknown>>

/** Whether a filter may stand instead of addresses. */
export const hasSelector = (filters: GivenFilters | undefined): boolean =>
  ['jetton_masters', 'code_hashes'].some((name) => {
    const list = filters?.[name]
    return Array.isArray(list) && list.length > 0
  })

const filterNames = ['opcodes', 'jetton_masters', 'code_hashes', 'message_kinds', 'min_value', 'success'] as const
type FilterName = (typeof filterNames)[number]

/** Filters of single transactions: without this type they would have no effect. */
const ofTransactions: readonly FilterName[] = ['opcodes', 'message_kinds', 'min_value', 'success']

/** Parses `filters`. A null or empty list counts as absent. */
export const readFilters = (given: GivenFilters, types: ReadonlySet<EventType>): Filters => {
  const unknown = Object.keys(given).find((name) => !filterNames.some((each) => each === name))
  if (unknown !== undefined) throw new SubscriptionError(`unknown filter: ${shownValue(unknown)}`)
  const useless = ofTransactions.find((name) => (given[name] ?? undefined) !== undefined && !types.has('transactions'))
  if (useless !== undefined) throw new SubscriptionError(`filters.${useless} requires type "transactions"`)
  return {
    opcodes: readSet(given, 'opcodes', readOpcode),
    jettonMasters: readSet(given, 'jetton_masters', (value) => readText(value, readAddressKey)),
    codeHashes: readSet(given, 'code_hashes', (value) =>
      readText(value, (text) => keyText(parseHash(text, ['hex', 'prefixed_hex', 'base64']))),
    ),
    messageKinds: readSet(given, 'message_kinds', readMessageKind),
    minValue: readScalar(given, 'min_value', readAmount),
    success: readScalar(given, 'success', (value) => (typeof value === 'boolean' ? value : undefined)),
  }
}

const readSet = <T>(
  given: GivenFilters,
  name: keyof typeof filterLimits,
  read: (value: unknown) => T | undefined,
): ReadonlySet<T> | undefined => {
  const list = given[name] ?? undefined
  if (list === undefined) return undefined
  if (!Array.isArray(list)) throw new SubscriptionError(`invalid filters.${name}: ${shownValue(list)}`)
  const max = filterLimits[name]
  if (list.length > max) throw new SubscriptionError(`too many filters.${name}: ${list.length} > max ${max}`)
  const values = new Set(list.map((value: unknown) => expectRead(name, value, read)))
  return values.size === 0 ? undefined : values
}

const readScalar = <T>(
  given: GivenFilters,
  name: FilterName,
  read: (value: unknown) => T | undefined,
): T | undefined => {
  const value = given[name] ?? undefined
  return value === undefined ? undefined : expectRead(name, value, read)
}

const expectRead = <T>(name: FilterName, value: unknown, read: (value: unknown) => T | undefined): T => {
  const found = read(value)
  if (found === undefined) throw new SubscriptionError(`invalid filters.${name}: ${shownValue(value)}`)
  return found
}

const readText = <T>(value: unknown, read: (text: string) => T): T | undefined => {
  if (typeof value !== 'string') return undefined
  try {
    return read(value)
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

/** As text, or as the number that the neutral dialect shows. */
const readOpcode = (value: unknown): number | undefined => {
  if (typeof value !== 'number') return readText(value, parseOpcode)
  return Number.isInteger(value) && value >= -0x8000_0000 && value <= 0xffff_ffff ? value | 0 : undefined
}

const readMessageKind = (value: unknown): MessageKindFilter | undefined => messageKinds.find((kind) => kind === value)

const readAmount = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^[0-9]{1,40}$/.test(value) ? BigInt(value) : undefined

/** Whether a transaction passes the filters of single transactions. */
export const passesFilters = (
  { opcodes, messageKinds: kinds, minValue, success }: Filters,
  transaction: PendingTransaction,
): boolean => {
  const { inMessage } = transaction
  if (opcodes !== undefined && (inMessage?.opcode === undefined || !opcodes.has(inMessage.opcode))) return false
  if (kinds !== undefined && !kinds.has(kindOf(transaction))) return false
  if (minValue !== undefined && (inMessage?.value ?? 0n) < minValue) return false
  return success === undefined || isSuccessful(transaction) === success
}

const kindOf = ({ inMessage }: PendingTransaction): MessageKindFilter => {
  if (inMessage === undefined) return 'tick_tock'
  if (inMessage.kind === 'externalIn') return 'external_in'
  return inMessage.bounced === true ? 'bounced' : 'internal'
}

const outcomes = new WeakMap<PendingTransaction, boolean>()

/** The compute phase ran to its end, and so did the action phase. */
const isSuccessful = (transaction: PendingTransaction): boolean => {
  let known = outcomes.get(transaction)
  if (known === undefined) {
    const descr = readWhole(unpackDescription(transaction.description), readTransactionDescr, 'TransactionDescr')
    known = 'computePhase' in descr && descr.computePhase.kind === 'vm' && descr.computePhase.success
    if ('action' in descr && descr.action !== undefined) known &&= descr.action.success
    outcomes.set(transaction, known)
  }
  return known
}
