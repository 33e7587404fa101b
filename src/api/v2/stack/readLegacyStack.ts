import { type Cell, wholeSlice } from '../../../codec/cell/Cell.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { isJsonObject, type JsonValue } from '../../core/json/JsonValue.ts'
import { decodeBag, decodeBase64 } from '../decodeBag.ts'
import { UnsupportedEntryError } from '../errors.ts'
import { readNumber } from './readNumber.ts'
import { EntryCount, NULL, readListOf, readTupleOf } from './readTypedStack.ts'
import { refuseArgument, show } from './refuseArgument.ts'

/** Arguments as pairs of a type and a value, the deepest first. */
export const readLegacyStack = (entries: readonly JsonValue[]): VmStack => {
  const count = new EntryCount()
  return entries.map((entry) => readEntry(entry, count))
}

const readEntry = (entry: JsonValue, count: EntryCount): VmValue => {
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

const readCell: ReadValue = (value, type) => ({ kind: 'cell', cell: decodeCell(value, type) })

const readSlice: ReadValue = (value, type) => ({ kind: 'slice', slice: wholeSlice(decodeCell(value, type)) })

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

/** A bag in base64, or an object as results have it. */
const decodeCell = (value: JsonValue | undefined, type: string): Cell => {
  const text = isJsonObject(value) ? value['bytes'] : value
  if (typeof text !== 'string') throw refuseArgument(`Invalid ${type}, base64 string expected`)
  if (text === '') throw refuseArgument(`Empty ${type}`)
  const bytes = decodeBase64(text, () => refuseArgument(`Invalid ${type}, base64 string expected`))
  return decodeBag(bytes, (fault) => refuseArgument(`Invalid ${type}: ${fault}`))
}
