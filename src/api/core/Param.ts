import { type Static, type TArray, type TSchema, Type } from 'typebox'
import type { CodedError } from '../../primitives/errors.ts'

/** Whether a caller must give a parameter, and what its absence means. */
export type Presence = 'required' | 'optional' | 'defaulted'

/** A parameter: what it looks like on the wire, and how that becomes a value. */
export interface Param<S extends TSchema = TSchema, Value = unknown, P extends Presence = Presence> {
  readonly schema: S
  readonly presence: P
  /** Stands in for an absent wire value where the presence is `defaulted`. */
  readonly fallback: Static<S> | undefined
  /** Gets what fits the schema. Refuses the rest with a CodedError, a ParseError as a rule. */
  parse(wire: Static<S>): Value
  /** What the description shows, where the wire takes more spellings than are worth telling. */
  readonly shown?: TSchema
  /** What is said when it is required and was not given. */
  readonly missing?: CodedError
}

/** The parameters of an endpoint by name. */
export type ParamTable = { readonly [name: string]: Param }

/** What a handler gets for a table of parameters. */
export type ParsedOf<T extends ParamTable> = {
  readonly [Name in keyof T]: T[Name] extends Param<infer _S, infer Value, infer P>
    ? Value | (P extends 'optional' ? undefined : never)
    : never
}

/** What a caller gives for a table of parameters. */
export type ArgumentsOf<T extends ParamTable> = {
  readonly [Name in keyof T as T[Name]['presence'] extends 'required' ? Name : never]: Static<T[Name]['schema']>
} & {
  readonly [Name in keyof T as T[Name]['presence'] extends 'required' ? never : Name]?:
    | Static<T[Name]['schema']>
    | undefined
}

/** A parameter that must be given. Without a parser its value is what the schema says. */
export function param<S extends TSchema>(schema: S): Param<S, Static<S>, 'required'>
export function param<S extends TSchema, Value>(
  schema: S,
  parse: (wire: Static<S>) => Value,
): Param<S, Value, 'required'>
export function param(schema: TSchema, parse: (wire: unknown) => unknown = (wire) => wire): Param {
  return { schema, presence: 'required', fallback: undefined, parse }
}

/** The same parameter, which may be left out. */
export const optional = <S extends TSchema, Value>(given: Param<S, Value>): Param<S, Value, 'optional'> => ({
  ...given,
  presence: 'optional',
  fallback: undefined,
})

/** The same parameter, which is taken as `fallback` when it is left out. */
export const withDefault = <S extends TSchema, Value>(
  given: Param<S, Value>,
  fallback: Static<S>,
): Param<S, Value, 'defaulted'> => ({ ...given, presence: 'defaulted', fallback })

/** The same parameter, described by another schema than the one that it is held against. */
export const shownAs = <S extends TSchema, Value, P extends Presence>(
  given: Param<S, Value, P>,
  shown: TSchema,
): Param<S, Value, P> => ({ ...given, shown })

/** The same parameter, with words of its own for when it was not given. */
export const whenMissing = <S extends TSchema, Value>(
  required: Param<S, Value, 'required'>,
  missing: CodedError,
): Param<S, Value, 'required'> => ({ ...required, missing })

/** Many of a parameter: repeated in a query, an array in a body. */
export const list = <S extends TSchema, Value>(
  { schema, parse }: Param<S, Value>,
  bounds: { readonly minItems?: number; readonly maxItems: number },
): Param<TArray<S>, Value[], 'required'> =>
  param(Type.Array(schema, bounds), (items: unknown) => (items as Static<S>[]).map((item) => parse(item)))
