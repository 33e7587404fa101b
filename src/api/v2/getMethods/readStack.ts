import { type Cell, wholeSlice } from '../../../codec/cell/Cell.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import { isVmInteger, parseVmInteger, type VmValue } from '../../../codec/tlb/VmValue.ts'
import { findMember, isJsonObject, type JsonValue } from '../../core/json/parseJson.ts'
import { NodeClientError, RefusedRequestError, UnsupportedEntryError } from '../errors.ts'
import { decodeBag, decodeBase64 } from '../params.ts'

/** The error of a malformed get-method argument. */
export const refuseArgument = (reason: string): RefusedRequestError => new RefusedRequestError('handle', reason)

const shownLength = 100

/** A value for an error message, shortened. */
const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
  return text.slice(0, shownLength)
}

/** An integer as JSON or text: decimal, or hexadecimal with the prefix 0x. */
const readNumber = (value: JsonValue | undefined): bigint => {
  const number = toNumber(value)
  if (number === undefined || !isVmInteger(number)) throw refuseArgument(`Invalid number: ${show(value ?? null)}`)
  return number
}

const toNumber = (value: JsonValue | undefined): bigint | undefined => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' ? parseVmInteger(value) : undefined
}

const NULL: VmValue = { kind: 'null' }

const maxEntries = 8000
const maxNesting = 1024

/** Counts the entries of one stack, nested ones too. */
class EntryCount {
  private entries = 0

  add(level: number): void {
    if (++this.entries > maxEntries) throw refuseArgument(`A stack may contain at most ${maxEntries} entries`)
    if (level > maxNesting) throw refuseArgument(`Stack entries may be nested at most ${maxNesting} levels deep`)
  }
}

/** Arguments as typed objects, bottom of the stack first. */
export const readTypedStack = (entries: readonly JsonValue[]): VmStack => {
  const count = new EntryCount()
  return entries.map((entry) => readEntry(entry, 0, count))
}

const readEntry = (entry: JsonValue, level: number, count: EntryCount): VmValue => {
  count.add(level)
  const type = typeOf(entry)
  switch (type) {
    case 'tvm.stackEntryNumber':
      return { kind: 'int', value: readDecimal(memberOf(entry, 'number')) }
    case 'tvm.stackEntryCell':
      return { kind: 'cell', cell: decodeCell(memberOf(entry, 'cell')) }
    case 'tvm.stackEntrySlice':
      return { kind: 'slice', slice: wholeSlice(decodeCell(memberOf(entry, 'slice'))) }
    case 'tvm.stackEntryTuple':
      return readTupleOf(memberOf(entry, 'tuple'), level, count)
    case 'tvm.stackEntryList':
      return readListOf(memberOf(entry, 'list'), level, count)
    case 'tvm.stackEntryUnsupported':
      throw new NodeClientError('Unsuppored stack entry')
    default:
      throw refuseArgument(`Invalid type of stack entry: ${show(type ?? entry)}`)
  }
}

/** Parses a typed tuple. */
const readTupleOf = (value: JsonValue | undefined, level: number, count: EntryCount): VmValue => ({
  kind: 'tuple',
  items: elementsOf(value, 'tvm.tuple').map((element) => readEntry(element, level + 1, count)),
})

/** Parses a typed list into nested pairs ending with null. */
const readListOf = (value: JsonValue | undefined, level: number, count: EntryCount): VmValue =>
  elementsOf(value, 'tvm.list')
    .map((element) => readEntry(element, level + 1, count))
    .reduceRight((rest, item): VmValue => ({ kind: 'tuple', items: [item, rest] }), NULL)

const elementsOf = (value: JsonValue | undefined, type: 'tvm.tuple' | 'tvm.list'): readonly JsonValue[] => {
  const elements = typeOf(value) === type ? memberOf(value, 'elements') : undefined
  if (Array.isArray(elements)) return elements
  throw refuseArgument(`Expected an object of type ${type} with elements, got: ${show(value ?? null)}`)
}

const typeOf = (value: JsonValue | undefined): JsonValue | undefined => memberOf(value, '@type')

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? findMember(value, name) : undefined

/** The original client reads an empty text as zero. */
const readDecimal = (value: JsonValue | undefined): bigint => {
  const number = memberOf(value, 'number')
  return number === '' ? 0n : readNumber(number)
}

const decodeCell = (value: JsonValue | undefined): Cell => {
  const text = memberOf(value, 'bytes')
  if (typeof text !== 'string')
    throw refuseArgument(`Expected a cell with bytes in base64, got: ${show(value ?? null)}`)
  return decodeBag(decodeBase64(text, refuseArgument), (fault) => new NodeClientError(fault))
}

/** Arguments as [type, value] pairs, bottom of the stack first. */
export const readLegacyStack = (entries: readonly JsonValue[]): VmStack => {
  const count = new EntryCount()
  return entries.map((entry) => readLegacyEntry(entry, count))
}

const readLegacyEntry = (entry: JsonValue, count: EntryCount): VmValue => {
  count.add(0)
  if (!Array.isArray(entry)) throw refuseArgument(`Expected a stack entry as [type, value], got: ${show(entry)}`)
  if (entry.length !== 2) throw refuseArgument(`Expected 2 elements in stack entry, got: ${entry.length}`)
  const [type, value]: readonly JsonValue[] = entry
  if (typeof type !== 'string') throw refuseArgument(`Invalid type of stack entry: ${show(type)}`)
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (read === undefined) throw new UnsupportedEntryError(type)
  return read(value, type, count)
}

type ReadValue = (value: JsonValue | undefined, type: string, count: EntryCount) => VmValue

const readInt: ReadValue = (value) => ({ kind: 'int', value: readNumber(value) })

const readCell: ReadValue = (value, type) => ({ kind: 'cell', cell: decodeLegacyCell(value, type) })

const readSlice: ReadValue = (value, type) => ({ kind: 'slice', slice: wholeSlice(decodeLegacyCell(value, type)) })

const readTuple: ReadValue = (value, _type, count) => readTupleOf(value, 0, count)

const readList: ReadValue = (value, _type, count) => readListOf(value, 0, count)

const readers: { readonly [type: string]: ReadValue } = {
  num: readInt,
  int: readInt,
  number: readInt,
  integer: readInt,
  cell: readCell,
  'tvm.Cell': readCell,
  slice: readSlice,
  'tvm.Slice': readSlice,
  tuple: readTuple,
  'tvm.Tuple': readTuple,
  list: readList,
  'tvm.List': readList,
  null: () => NULL,
}

/** A bag of cells in base64, or an object with `bytes` as in results. */
const decodeLegacyCell = (value: JsonValue | undefined, type: string): Cell => {
  const text = isJsonObject(value) ? value['bytes'] : value
  if (typeof text !== 'string') throw refuseArgument(`Invalid ${type}, base64 string expected`)
  if (text === '') throw refuseArgument(`Empty ${type}`)
  const bytes = decodeBase64(text, () => refuseArgument(`Invalid ${type}, base64 string expected`))
  return decodeBag(bytes, (fault) => refuseArgument(`Invalid ${type}: ${fault}`))
}
