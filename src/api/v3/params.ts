import { type TSchema, Type } from 'typebox'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { CodedError, ParseError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { parseOpcode } from '../../primitives/hex.ts'
import {
  ADDRESS_PATTERN,
  HASH_PATTERN,
  optional,
  type Param,
  param,
  shownAs,
  whenMissing,
  withDefault,
} from '../core/params.ts'
import { RefusedRequestError, UnreadableItemError } from './errors.ts'

const MAX_INT32 = 0x7fff_ffff
const MAX_UINT64 = (1n << 64n) - 1n
const MAX_ROWS = 1000
const DEFAULT_ROWS = 10

/** Query values are text; an empty one counts as zero. */
const NumberText = Type.Union([Type.Integer(), Type.String()])

const readInt32 = (wire: string | number): number => {
  const text = String(wire)
  const value = text === '' ? 0 : /^[+-]?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= -MAX_INT32 - 1 && value <= MAX_INT32)) throw new ParseError('a 32-bit number', text)
  return value
}

const shownInteger = (description: string, bounds: { minimum?: number; maximum?: number } = {}): TSchema =>
  Type.Integer({ description, ...bounds })

/** A signed 32-bit number. */
export const int32Param = (description: string) =>
  shownAs(param(NumberText, readInt32), shownInteger(description, { minimum: -MAX_INT32 - 1, maximum: MAX_INT32 }))

/** A number up to a limit of its own; what is below the least is taken as that. */
export const boundedParam = (description: string, { minimum, maximum }: { minimum: number; maximum: number }) => {
  const read = (wire: string | number): number => {
    const value = readInt32(wire)
    if (value > maximum) throw new RefusedRequestError(`${value} is not allowed: the maximum is ${maximum}`)
    return Math.max(minimum, value)
  }
  return shownAs(param(NumberText, read), shownInteger(description, { minimum, maximum }))
}

/** A required block seqno. */
export const requiredSeqnoParam = (description: string) =>
  shownAs(
    whenMissing(
      param(NumberText, (wire) => {
        if (wire === '') throw new ParseError('a block seqno', '')
        return readInt32(wire)
      }),
      new RefusedRequestError('seqno is required'),
    ),
    shownInteger(description, { minimum: 0, maximum: MAX_INT32 }),
  )

/** A logical time: unsigned 64-bit. */
export const ltParam = (description: string) =>
  shownAs(
    param(NumberText, (wire): bigint => {
      const text = String(wire)
      const value = text === '' ? 0n : /^[0-9]{1,20}$/.test(text) ? BigInt(text) : -1n
      if (value < 0n || value > MAX_UINT64) throw new ParseError('a logical time', text)
      return value
    }),
    Type.String({ description, pattern: '^[0-9]+$', examples: ['57491040000001'] }),
  )

/** Unix time; a fraction is truncated. */
const timeParam = (description: string) =>
  shownAs(
    param(NumberText, (wire): number => {
      const text = String(wire)
      const value = /^[0-9]{1,10}(\.[0-9]{0,20})?$/.test(text) ? Math.trunc(Number(text)) : Number.NaN
      if (!(value <= 0xffff_ffff)) throw new ParseError('a time in seconds', text)
      return value
    }),
    Type.Number({ description, minimum: 0, maximum: 0xffff_ffff, examples: [1_748_012_085] }),
  )

const truthWords = new Set(['1', 't', 'T', 'true', 'TRUE', 'True', 'on'])
const untruthWords = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

export const readBool = (wire: string | boolean): boolean => {
  if (typeof wire === 'boolean') return wire
  if (!truthWords.has(wire) && !untruthWords.has(wire)) throw new ParseError('true or false', wire)
  return truthWords.has(wire)
}

export const boolParam = (description: string) =>
  shownAs(param(Type.Union([Type.Boolean(), Type.String()]), readBool), Type.Boolean({ description }))

const addressExamples = [
  'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
]

/** The database key of an address in any form. */
export const readAddressKey = (text: string): Uint8Array => addressKeyOf(parseAddress(text))

export const addressParam = (description: string) =>
  shownAs(
    param(Type.String(), readAddressKey),
    Type.String({ description, pattern: ADDRESS_PATTERN, examples: addressExamples }),
  )

const readHash = (text: string): Uint8Array => parseHash(text, ['hex', 'prefixed_hex', 'base64'])

export const hashParam = (description: string) =>
  shownAs(
    param(Type.String(), readHash),
    Type.String({ description, pattern: HASH_PATTERN, examples: ['S4XM4TRqBSWvsrGUQY/NLEbIRM7q7iS6hx+uWg4Hv14='] }),
  )

export const opcodeParam = (description: string) =>
  param(Type.String({ description, examples: ['0x0f8a7ea5', '260734629'] }), parseOpcode)

/** Hexadecimal, or a signed decimal. The value is unsigned. */
const readShard = (text: string): bigint => {
  const [, digits] = /^(?:0[xX])?([0-9a-fA-F]{1,16})$/.exec(text) ?? []
  if (digits !== undefined) return BigInt(`0x${digits}`)
  const value = /^-?[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value !== BigInt.asIntN(64, value)) throw new ParseError('a shard', text)
  return BigInt.asUintN(64, value)
}

export const ShardParam = param(
  Type.String({ description: 'Shard id: hexadecimal, or a signed decimal number.', examples: ['8000000000000000'] }),
  readShard,
)

/** A list of texts; commas do not separate items. */
export const textListParam = (description: string, maxItems = MAX_ROWS) =>
  shownAs(
    param(Type.Array(Type.String()), (items) => {
      const texts = items.filter((item) => item !== '')
      refuseOverlong(texts.length, maxItems)
      return texts
    }),
    Type.Array(Type.String(), { description, maxItems }),
  )

const refuseOverlong = (count: number, maxItems: number): void => {
  if (count > maxItems) throw new RefusedRequestError(`maximum ${maxItems} values allowed, ${count} given`)
}

/**
 * Parses every value of a list. A value that is malformed as a whole is split at commas; empty values are dropped, and a list of only
 * empty values means absent.
 */
const readList = <T>(items: readonly string[], read: (text: string) => T, maxItems: number): T[] | undefined => {
  const values: T[] = []
  items.forEach((item, index) => {
    if (item === '') return
    try {
      for (const part of splitUnreadable(item, read)) values.push(part)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw new UnreadableItemError(index, { cause: error })
    }
    refuseOverlong(values.length, maxItems)
  })
  return values.length === 0 ? undefined : values
}

const splitUnreadable = <T>(item: string, read: (text: string) => T): T[] => {
  if (item.includes(','))
    return item
      .split(',')
      .filter((part) => part !== '')
      .map(read)
  return [read(item)]
}

const listOf = <T>(
  read: (text: string) => T,
  item: { readonly pattern: string; readonly examples: readonly string[] },
  description: string,
  maxItems: number,
) =>
  shownAs(
    param(Type.Array(Type.String()), (items): T[] | undefined => readList(items, read, maxItems)),
    Type.Array(Type.String(item), { description, maxItems }),
  )

/** Address keys; `undefined` if all values are empty. */
export const addressListParam = (description: string, maxItems = MAX_ROWS) =>
  listOf(readAddressKey, { pattern: ADDRESS_PATTERN, examples: addressExamples }, description, maxItems)

export const hashListParam = (description: string, maxItems = MAX_ROWS) =>
  listOf(
    readHash,
    { pattern: HASH_PATTERN, examples: ['S4XM4TRqBSWvsrGUQY/NLEbIRM7q7iS6hx+uWg4Hv14='] },
    description,
    maxItems,
  )

/** Address keys as a filter: a list of only empty values matches nothing. */
export const addressFilterParam = (description: string, maxItems = MAX_ROWS) => {
  const list = addressListParam(description, maxItems)
  return { ...list, parse: (wire: Parameters<typeof list.parse>[0]): Uint8Array[] => list.parse(wire) ?? [] }
}

/** A required list; `message` is the error if it is missing. */
export const requiredList = <S extends TSchema, T>(given: Param<S, T[] | undefined, 'required'>, message: string) => {
  const missing = new RefusedRequestError(message)
  const parse = (wire: Parameters<typeof given.parse>[0]): T[] => {
    const values = given.parse(wire)
    if (values === undefined || values.length === 0) throw missing
    return values
  }
  return whenMissing({ ...given, parse } as Param<S, T[], 'required'>, missing)
}

const readLimit = (wire: string | number): number => {
  const limit = readInt32(wire)
  if (limit > MAX_ROWS) throw new RefusedRequestError(`limit is not allowed: ${limit} > ${MAX_ROWS}`)
  return Math.max(1, limit)
}

/** Maximum number of rows. */
export const limitParam = (fallback = DEFAULT_ROWS) =>
  withDefault(
    shownAs(param(NumberText, readLimit), shownInteger('Maximum number of rows.', { minimum: 1, maximum: MAX_ROWS })),
    fallback,
  )

const OffsetParam = withDefault(
  shownAs(
    param(NumberText, (wire) => Math.max(0, readInt32(wire))),
    shownInteger('Number of rows to skip.', { minimum: 0, maximum: MAX_INT32 }),
  ),
  0,
)

const CursorParam = optional(
  param(
    Type.String({
      description:
        'Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored.',
      maxLength: 1000,
    }),
  ),
)

/** Paging parameters of a list. */
export const pageParams = { limit: limitParam(), offset: OffsetParam, cursor: CursorParam } as const

export type SortDirection = 'asc' | 'desc'

const readSort = (text: string): SortDirection => {
  const word = text.toLowerCase()
  if (word === 'asc' || word === 'a') return 'asc'
  if (word === 'desc' || word === 'd') return 'desc'
  throw new RefusedRequestError('wrong value for sort parameter')
}

const SortText = shownAs(
  param(Type.String(), readSort),
  Type.Union([Type.Literal('asc'), Type.Literal('desc')], { description: 'Sort order.' }),
)

export const sortParam = (fallback: SortDirection = 'desc') => withDefault(SortText, fallback)

/** Sort order without a default. */
export const OptionalSortParam = optional(SortText)

/** Windows of Unix time and of logical time, both ends inclusive. */
export const windowParams = (of: string) =>
  ({
    start_utime: optional(timeParam(`Earliest Unix time of ${of}.`)),
    end_utime: optional(timeParam(`Latest Unix time of ${of}.`)),
    start_lt: optional(ltParam(`Lowest logical time of ${of}.`)),
    end_lt: optional(ltParam(`Highest logical time of ${of}.`)),
  }) as const
