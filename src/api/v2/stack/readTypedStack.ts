import { type Cell, wholeSlice } from '../../../codec/cell/Cell.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { findMember, isJsonObject, type JsonValue } from '../../core/json/JsonValue.ts'
import { decodeBag, decodeBase64 } from '../decodeBag.ts'
import { NodeClientError } from '../NodeClientError.ts'
import { readNumber } from './readNumber.ts'
import { refuseArgument, show } from './refuseArgument.ts'

export const NULL: VmValue = { kind: 'null' }

const maxEntries = 8000
const maxNesting = 1024

/** Counts the entries of one stack, those within others too. */
export class EntryCount {
  private entries = 0

  add(level: number): void {
    if (++this.entries > maxEntries) throw refuseArgument(`A stack may hold ${maxEntries} entries`)
    if (level > maxNesting) throw refuseArgument(`Entries of a stack may be nested ${maxNesting} deep`)
  }
}

/** Arguments as objects that name their type, the deepest first. */
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

/** A tuple from its typed form. */
export const readTupleOf = (value: JsonValue | undefined, level: number, count: EntryCount): VmValue => ({
  kind: 'tuple',
  items: elementsOf(value, 'tvm.tuple').map((element) => readEntry(element, level + 1, count)),
})

/** A list from its typed form: pairs in pairs, null at the end. */
export const readListOf = (value: JsonValue | undefined, level: number, count: EntryCount): VmValue =>
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

/** An empty text is zero to the clients of nodes. */
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
