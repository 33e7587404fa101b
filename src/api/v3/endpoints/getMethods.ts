import { type Static, Type } from 'typebox'
import { ParseError } from '../../../primitives/errors.ts'
import { ProxiedError } from '../../core/errors.ts'
import { findMember, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/parseJson.ts'
import { optional, param, shownAs, withDefault } from '../../core/params.ts'
import { MissingArgumentError } from '../errors.ts'
import { proxyToV2Or500 } from '../proxyToV2.ts'
import { v3Endpoint } from '../v3Endpoint.ts'

/** A TVM value. */
const StackEntryView = Type.Cyclic(
  {
    StackEntry: Type.Union([
      Type.Object({
        type: Type.Union([Type.Literal('num'), Type.Literal('cell'), Type.Literal('slice')]),
        value: Type.String({ description: 'Hexadecimal number, or a bag of cells.', examples: ['0x1d', '-0x1'] }),
      }),
      Type.Object({
        type: Type.Union([Type.Literal('tuple'), Type.Literal('list')]),
        value: Type.Array(Type.Ref('StackEntry'), { description: 'An empty list means null.' }),
      }),
    ]),
  },
  'StackEntry',
)

export type StackEntry = Static<typeof StackEntryView>

/** Converts a v2 stack entry: a [type, value] pair. */
export const fromV2Entry = (entry: JsonValue): StackEntry => {
  const [type, value] = Array.isArray(entry) ? (entry as readonly JsonValue[]) : []
  if (type === 'num' && typeof value === 'string') return { type, value }
  if (isJsonObject(value)) {
    if (type === 'cell' || type === 'slice') return { type, value: textOf(value, 'bytes') }
    if (type === 'tuple' || type === 'list') return { type, value: elementsOf(value).map(fromTypedEntry) }
  }
  throw unexpected(type)
}

/** Converts a nested v2 value: a typed object. */
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

/** Builders and continuations are not supported. */
const unexpected = (type: JsonValue | undefined): ProxiedError =>
  new ProxiedError(`unsupported stack entry type: ${String(type).slice(0, 100)}`, 501)

/** Argument types in v2. */
const v2Types: ReadonlyMap<string, string> = new Map([
  ['num', 'num'],
  ['cell', 'tvm.Cell'],
  ['slice', 'tvm.Slice'],
])

const ArgumentView = Type.Object({
  type: Type.Union([Type.Literal('num'), Type.Literal('cell'), Type.Literal('slice')]),
  value: Type.String({ description: 'Number (decimal, or hexadecimal with 0x), or a bag of cells.' }),
})

type Argument = { readonly type: string; readonly value: JsonValue }

const readArgument = (entry: JsonValue): Argument => {
  const type = isJsonObject(entry) ? findMember(entry, 'type') : undefined
  if (!isJsonObject(entry) || typeof type !== 'string') throw new ParseError('an object with a type', typeof entry)
  return { type, value: findMember(entry, 'value') ?? null }
}

const StackParam = shownAs(
  param(Type.Array(Type.Unsafe<JsonValue>(Type.Unknown())), (entries) => entries.map(readArgument)),
  Type.Array(ArgumentView, { description: 'Arguments, bottom of the stack first.' }),
)

// Refuse a JSON number, which would be read as its digits.
const MethodParam = shownAs(
  param(Type.Unknown(), (method): string => {
    if (typeof method !== 'string') throw new ParseError('the name of a get-method', typeof method)
    return method
  }),
  Type.String({ description: 'Get-method name.', examples: ['seqno'] }),
)

export const runGetMethod = v3Endpoint({
  name: 'runGetMethod',
  needsNode: true,
  methods: ['POST'],
  tags: ['legacy'],
  summary: 'Run a get-method of a contract in its current state.',
  params: {
    address: optional(param(Type.String({ description: 'The contract.' }))),
    method: optional(MethodParam),
    stack: withDefault(StackParam, []),
  },
  result: Type.Object(
    {
      gas_used: Type.Integer(),
      exit_code: Type.Integer({ description: 'TVM exit code; 0 and 1 mean success.' }),
      stack: Type.Array(StackEntryView),
    },
    { $id: 'RunGetMethodResult' },
  ),
  errors: ['unauthorized', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, method, stack }) {
    if (address === undefined || address === '') throw new MissingArgumentError('address is required')
    if (method === undefined || method === '') throw new MissingArgumentError('method is required')
    const args = { address, method, stack: stack.map(toV2Argument) }
    const live = (await proxyToV2Or500(context, 'runGetMethod', args)) as JsonObject
    return {
      gas_used: live['gas_used'] as number,
      exit_code: live['exit_code'] as number,
      stack: (live['stack'] as readonly JsonValue[]).map(fromV2Entry),
    }
  },
})

const toV2Argument = ({ type, value }: Argument): JsonValue => {
  const live = v2Types.get(type)
  if (live === undefined) throw new ProxiedError(`unsupported stack parameter type: ${type.slice(0, 100)}`, 500)
  return [live, value]
}
