import { type Static, type TArray, type TSchema, Type } from 'typebox'
import { parseAddress } from '../../primitives/Address.ts'
import { parseCoins } from '../../primitives/coins.ts'
import type { CodedError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'

/** Whether a parameter is required, and what its absence means. */
export type Presence = 'required' | 'optional' | 'defaulted'

/** A parameter: its JSON schema on the wire, and the parser that makes a value of it. */
export interface Param<S extends TSchema = TSchema, Value = unknown, P extends Presence = Presence> {
  readonly schema: S
  readonly presence: P
  /** The wire value used if the parameter is absent and its presence is `defaulted`. */
  readonly fallback: Static<S> | undefined
  /** Parses a value that matches the schema. Throws a CodedError, usually a ParseError. */
  parse(wire: Static<S>): Value
  /** The schema in the OpenAPI document, if the wire accepts more forms than are documented. */
  readonly shown?: TSchema
  /** The error if the required parameter is missing. */
  readonly missing?: CodedError
}

/** The parameters of an endpoint by name. */
export type ParamTable = { readonly [name: string]: Param }

/** The parsed parameters that a handler gets. */
export type ParsedOf<T extends ParamTable> = {
  readonly [Name in keyof T]: T[Name] extends Param<infer _S, infer Value, infer P>
    ? Value | (P extends 'optional' ? undefined : never)
    : never
}

/** The arguments that a caller passes. */
export type ArgumentsOf<T extends ParamTable> = {
  readonly [Name in keyof T as T[Name]['presence'] extends 'required' ? Name : never]: Static<T[Name]['schema']>
} & {
  readonly [Name in keyof T as T[Name]['presence'] extends 'required' ? never : Name]?:
    | Static<T[Name]['schema']>
    | undefined
}

/** A required parameter. Without a parser, the wire value is the value. */
export function param<S extends TSchema>(schema: S): Param<S, Static<S>, 'required'>
export function param<S extends TSchema, Value>(
  schema: S,
  parse: (wire: Static<S>) => Value,
): Param<S, Value, 'required'>
export function param(schema: TSchema, parse: (wire: unknown) => unknown = (wire) => wire): Param {
  return { schema, presence: 'required', fallback: undefined, parse }
}

/** The same parameter, optional. */
export const optional = <S extends TSchema, Value>(given: Param<S, Value>): Param<S, Value, 'optional'> => ({
  ...given,
  presence: 'optional',
  fallback: undefined,
})

/** The same parameter with a default. */
export const withDefault = <S extends TSchema, Value>(
  given: Param<S, Value>,
  fallback: Static<S>,
): Param<S, Value, 'defaulted'> => ({ ...given, presence: 'defaulted', fallback })

/** The same parameter, documented with another schema than it is validated with. */
export const shownAs = <S extends TSchema, Value, P extends Presence>(
  given: Param<S, Value, P>,
  shown: TSchema,
): Param<S, Value, P> => ({ ...given, shown })

/** The same parameter with its own error for a missing value. */
export const whenMissing = <S extends TSchema, Value>(
  required: Param<S, Value, 'required'>,
  missing: CodedError,
): Param<S, Value, 'required'> => ({ ...required, missing })

/** A list parameter: repeated in a query, an array in a body. */
export const list = <S extends TSchema, Value>(
  { schema, parse }: Param<S, Value>,
  bounds: { readonly minItems?: number; readonly maxItems: number },
): Param<TArray<S>, Value[], 'required'> =>
  param(Type.Array(schema, bounds), (items: unknown) => (items as Static<S>[]).map((item) => parse(item)))

/** Patterns for the OpenAPI document. The parsers report what is wrong with other texts. */
export const ADDRESS_PATTERN = '^(-?[0-9]{1,3}:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{48})$'
export const HASH_PATTERN = '^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$'

/** An address in any form. */
export const AddressParam = shownAs(
  param(Type.String(), parseAddress),
  Type.String({
    description: 'An address: raw (workchain:hex) or user-friendly, with any flags.',
    pattern: ADDRESS_PATTERN,
    examples: [
      'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
      '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
    ],
  }),
)

/** A hash of 32 bytes in any form. */
export const HashParam = shownAs(
  param(Type.String(), (text) => parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url'])),
  Type.String({
    description: 'A hash of 32 bytes: 64 hexadecimal digits, or base64.',
    pattern: HASH_PATTERN,
    examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
  }),
)

/** An amount of the native coin. */
export const CoinsParam = param(
  Type.String({ description: 'An amount in nano units, decimal.', examples: ['1000000000'] }),
  parseCoins,
)

/** The JSON schema keywords that we read. TypeBox does not declare them in its types. */
export type SchemaKeywords = {
  readonly type?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: TSchema }
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly const?: unknown
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

export const keywordsOf = (schema: TSchema): SchemaKeywords => schema
