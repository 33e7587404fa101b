import { type Static, Type } from 'typebox'
import { ParseError } from '../../../primitives/errors.ts'
import { PassedOnError } from '../../core/errors.ts'
import { findMember, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/parseJson.ts'
import { optional, param, shownAs, withDefault } from '../../core/params.ts'
import { MissingArgumentError } from '../errors.ts'
import { passOnOr500 } from '../proxyToV2.ts'
import { v3Endpoint } from '../v3Endpoint.ts'

/** A value of the virtual machine. */
const StackEntryView = Type.Cyclic(
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

/** What the live interface calls the types of arguments. */
const liveTypes: ReadonlyMap<string, string> = new Map([
  ['num', 'num'],
  ['cell', 'tvm.Cell'],
  ['slice', 'tvm.Slice'],
])

const ArgumentView = Type.Object({
  type: Type.Union([Type.Literal('num'), Type.Literal('cell'), Type.Literal('slice')]),
  value: Type.String({ description: 'A number, decimal or hexadecimal behind 0x, or a bag of cells.' }),
})

type Argument = { readonly type: string; readonly value: JsonValue }

const readArgument = (entry: JsonValue): Argument => {
  const type = isJsonObject(entry) ? findMember(entry, 'type') : undefined
  if (!isJsonObject(entry) || typeof type !== 'string') throw new ParseError('an object with a type', typeof entry)
  return { type, value: findMember(entry, 'value') ?? null }
}

const StackParam = shownAs(
  param(Type.Array(Type.Unsafe<JsonValue>(Type.Unknown())), (entries) => entries.map(readArgument)),
  Type.Array(ArgumentView, { description: 'Arguments, the deepest first.' }),
)

// A number would pass for the text of its digits.
const MethodParam = shownAs(
  param(Type.Unknown(), (method): string => {
    if (typeof method !== 'string') throw new ParseError('the name of a get-method', typeof method)
    return method
  }),
  Type.String({ description: 'The name of a get-method.', examples: ['seqno'] }),
)

export const runGetMethod = v3Endpoint({
  name: 'runGetMethod',
  needsNode: true,
  methods: ['POST'],
  tags: ['legacy'],
  summary: 'Runs a get-method of a contract as it is now.',
  params: {
    address: optional(param(Type.String({ description: 'The contract.' }))),
    method: optional(MethodParam),
    stack: withDefault(StackParam, []),
  },
  result: Type.Object(
    {
      gas_used: Type.Integer(),
      exit_code: Type.Integer({ description: '0 and 1 are success.' }),
      stack: Type.Array(StackEntryView),
    },
    { $id: 'RunGetMethodResult' },
  ),
  errors: ['unauthorized', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, method, stack }) {
    if (address === undefined || address === '') throw new MissingArgumentError('address is required')
    if (method === undefined || method === '') throw new MissingArgumentError('method is required')
    const args = { address, method, stack: stack.map(toLiveArgument) }
    const live = (await passOnOr500(context, 'runGetMethod', args)) as JsonObject
    return {
      gas_used: live['gas_used'] as number,
      exit_code: live['exit_code'] as number,
      stack: (live['stack'] as readonly JsonValue[]).map(fromLiveEntry),
    }
  },
})

const toLiveArgument = ({ type, value }: Argument): JsonValue => {
  const live = liveTypes.get(type)
  if (live === undefined) throw new PassedOnError(`unsupported stack parameter type: ${type.slice(0, 100)}`, 500)
  return [live, value]
}
