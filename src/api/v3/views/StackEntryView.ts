import { type Static, Type } from 'typebox'
import { PassedOnError } from '../../core/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/JsonValue.ts'

/** A value of the virtual machine. */
export const StackEntryView = Type.Cyclic(
  {
    StackEntry: Type.Union([
      Type.Object({
        type: Type.Union([Type.Literal('num'), Type.Literal('cell'), Type.Literal('slice')]),
        value: Type.String({ description: 'A number in hexadecimal, or a bag of cells.', examples: ['0x1d', '-0x1'] }),
      }),
      Type.Object({
        type: Type.Union([Type.Literal('tuple'), Type.Literal('list')]),
        value: Type.Array(Type.Ref('StackEntry'), { description: 'An empty list stands for null.' }),
      }),
    ]),
  },
  'StackEntry',
)

export type StackEntry = Static<typeof StackEntryView>

/** A value as the live interface has it in a stack: a pair of a type and a value. */
export const fromLiveEntry = (entry: JsonValue): StackEntry => {
  const [type, value] = Array.isArray(entry) ? (entry as readonly JsonValue[]) : []
  if (type === 'num' && typeof value === 'string') return { type, value }
  if (isJsonObject(value)) {
    if (type === 'cell' || type === 'slice') return { type, value: textOf(value, 'bytes') }
    if (type === 'tuple' || type === 'list') return { type, value: elementsOf(value).map(fromTypedEntry) }
  }
  throw unexpected(type)
}

/** A value as it has it within another: an object that names its type. */
const fromTypedEntry = (entry: JsonValue): StackEntry => {
  const { '@type': type, number, cell, slice, tuple, list } = isJsonObject(entry) ? entry : ({} as JsonObject)
  if (isJsonObject(number)) return { type: 'num', value: toHexadecimal(textOf(number, 'number')) }
  if (isJsonObject(cell)) return { type: 'cell', value: textOf(cell, 'bytes') }
  if (isJsonObject(slice)) return { type: 'slice', value: textOf(slice, 'bytes') }
  if (isJsonObject(tuple)) return { type: 'tuple', value: elementsOf(tuple).map(fromTypedEntry) }
  if (isJsonObject(list)) return { type: 'list', value: elementsOf(list).map(fromTypedEntry) }
  throw unexpected(type)
}

const textOf = (value: JsonObject, name: string): string => {
  const text = value[name]
  if (typeof text !== 'string') throw unexpected(name)
  return text
}

const elementsOf = ({ elements }: JsonObject): readonly JsonValue[] => {
  if (!Array.isArray(elements)) throw unexpected('elements')
  return elements
}

const toHexadecimal = (decimal: string): string => {
  if (decimal === 'NaN') return decimal
  const value = BigInt(decimal)
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

/** Builders and continuations cannot be shown. */
const unexpected = (type: JsonValue | undefined): PassedOnError =>
  new PassedOnError(`unsupported stack entry type: ${String(type).slice(0, 100)}`, 501)
