import type { tlFunctionRows, tlTypeRows } from './constructors.ts'

/*
 * The types of all TL objects, parsed from the table of constructors by the compiler: a change of a row changes them.
 */

type Builtins = {
  int: number
  '#': number
  long: bigint
  double: number
  int128: Uint8Array
  int256: Uint8Array
  bytes: Uint8Array
  string: string
  Bool: boolean
  true: boolean
}

/** A row of the table: `[name, fields, result type]`. */
type Row = readonly [string, string, string]

type ParseRows<Text extends string, Rows extends Row = never> = Text extends `${infer Line};\n${infer Rest}`
  ? ParseRows<Rest, Rows | ParseRow<Line>>
  : Rows

type ParseRow<Line extends string> = Line extends `${string} ${infer Left} = ${infer Result}`
  ? Left extends `${infer Name} ${infer Fields}`
    ? readonly [WithoutId<Name>, Fields, Result]
    : readonly [WithoutId<Left>, '', Result]
  : never

type WithoutId<Name extends string> = Name extends `${infer Bare}#${string}` ? Bare : Name

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** A field as `[key, value, whether a flag governs it]`. */
type Field = readonly [string, unknown, boolean]

type ParseFields<Text extends string, Fields extends Field = never> = Text extends `${infer Name}:${infer Rest}`
  ? Rest extends `(vector ${infer Item})${infer More}`
    ? ParseFields<
        More extends ` ${infer Next}` ? Next : '',
        Fields | readonly [CamelCase<Name>, readonly Value<Item>[], false]
      >
    : Rest extends `${infer Type} ${infer More}`
      ? ParseFields<More, Fields | ParseField<Name, Type>>
      : Fields | ParseField<Name, Rest>
  : Fields

type ParseField<Name extends string, Type extends string> = Type extends `${string}?${infer Inner}`
  ? readonly [CamelCase<Name>, Value<Inner>, true]
  : readonly [CamelCase<Name>, Value<Type>, false]

type Value<Type extends string> = Type extends keyof Builtins
  ? Builtins[Type]
  : Type extends keyof TlTypes
    ? TlTypes[Type]
    : TlTypes[ConstructorOf<Type>]

type FieldsOf<F extends Field> = [F] extends [never]
  ? Record<never, never>
  : {
      readonly [E in F as E[2] extends false ? E[0] : never]: E[1]
    } & { readonly [E in F as E[2] extends true ? E[0] : never]?: E[1] | undefined }

type Flat<T> = { [K in keyof T]: T[K] }

type TypeRow = ParseRows<typeof tlTypeRows>
type FunctionRow = ParseRows<typeof tlFunctionRows>

/** The constructors of a TL type. */
type ConstructorOf<Type extends string> = Extract<TypeRow, readonly [string, string, Type]>[0]

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

/** A value of a type with several constructors says in `kind` which it is. */
type Kind<R extends Row> = true extends IsUnion<ConstructorOf<R[2]>> ? { readonly kind: R[0] } : unknown

/** Fields of every type, by constructor. */
export type TlTypes = { readonly [R in TypeRow as R[0]]: Flat<Kind<R> & FieldsOf<ParseFields<R[1]>>> }

/** Arguments of every function. */
export type TlArguments = { readonly [R in FunctionRow as R[0]]: Flat<FieldsOf<ParseFields<R[1]>>> }

/** The answer to every function. */
export type TlResults = {
  readonly [R in FunctionRow as R[0]]: R[2] extends 'Object' ? TlObject : TlTypes[ConstructorOf<R[2]>]
}

export type TlTypeName = keyof TlTypes
export type TlFunctionName = keyof TlArguments
export type TlKind = TlTypeName | TlFunctionName

/** A boxed object: its fields, and in `kind` the constructor or function they belong to. */
export type TlObject<K extends TlKind = TlKind> = {
  [N in K]: (TlTypes & TlArguments)[N] & { readonly kind: N }
}[K]

export type TlUnionName = TypeRow[2]

/** Any value of a TL type, by the name of the type. */
export type TlUnion<Type extends TlUnionName> = TlTypes[ConstructorOf<Type>]
