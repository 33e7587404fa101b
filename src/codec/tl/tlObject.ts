import { type CompiledRow, compileSchema } from './compileSchema.ts'
import { tlFunctionRows, tlTypeRows } from './constructors.ts'
import { parseSchema, type TlDescription, type TlField } from './parseSchema.ts'
import { TlError } from './TlError.ts'
import { MAX_TL_BYTES, TlReader } from './TlReader.ts'
import { TlWriter } from './TlWriter.ts'
import type {
  TlArguments,
  TlFunctionName,
  TlKind,
  TlObject,
  TlResults,
  TlTypeName,
  TlTypes,
  TlUnion,
  TlUnionName,
} from './tlTypes.ts'

const schema = parseSchema(tlTypeRows, tlFunctionRows)
const compiled = compileSchema(schema)

const rowsById = (isFunction: boolean): Map<number, CompiledRow> =>
  new Map(
    schema.rows
      .filter((row) => row.isFunction === isFunction)
      .map(({ name, id }) => [id, compiled.rows.get(name) as CompiledRow]),
  )
const typesById = rowsById(false)
const functionsById = rowsById(true)

/** A field as tools for people show it and ask for it. */
export type TlFieldDescription = TlField<TlTypeName>

/** Every constructor and function as data. */
export const tlSchema = Object.fromEntries(schema.byName) as { readonly [K in TlKind]: TlDescription<TlTypeName> }

/** The constructor id of every kind. */
export const tlIds = Object.fromEntries(schema.rows.map(({ name, id }) => [name, id])) as {
  readonly [K in TlKind]: number
}

/** Reader and writer of what follows each constructor id. */
export const tlRows = Object.fromEntries(compiled.rows) as unknown as {
  readonly [K in TlKind]: CompiledRow<(TlTypes & TlArguments)[K]>
}

const readTlObject = (r: TlReader): TlObject => {
  const id = r.readUint()
  const row = typesById.get(id)
  return row === undefined ? readTlArguments(r, id) : (row.readObject(r) as TlObject)
}

/** Reads the arguments of a function whose id was read. */
export const readTlArguments = (r: TlReader, id: number): TlObject<TlFunctionName> => {
  const row = functionsById.get(id)
  if (row === undefined) return r.failId(id, 'a known constructor')
  return row.readObject(r) as TlObject<TlFunctionName>
}

export const writeTlObject = (w: TlWriter, object: TlObject): void => {
  const row = compiled.rows.get(object.kind)
  if (row === undefined) w.failKind('the table', object)
  else {
    w.writeUint(row.id)
    row.write(w, object)
  }
}

/** Any boxed object of the table, type or function; `kind` says which. Bytes inside are views of the input. */
export const decodeTlObject = (bytes: Uint8Array, maxBytes: number = MAX_TL_BYTES): TlObject => {
  const r = new TlReader(bytes, maxBytes)
  const object = readTlObject(r)
  r.expectEnd()
  return object
}

/** A boxed object that has to be of one kind: a packet that only one answer fits. */
export const decodeTlObjectAs = <K extends TlKind>(kind: K, bytes: Uint8Array): TlObject<K> => {
  const object: TlObject = decodeTlObject(bytes)
  if (object.kind !== kind) throw new TlError('bad_value', 0, `Expected ${kind}, got ${object.kind}`)
  return object as TlObject<K>
}

/** A boxed object that has to be of one TL type, whichever of its constructors it is. */
export const decodeTlUnion = <Type extends TlUnionName>(type: Type, bytes: Uint8Array): TlUnion<Type> => {
  const r = new TlReader(bytes)
  const value = compiled.boxed.get(type)?.(r)
  r.expectEnd()
  return value as TlUnion<Type>
}

/** The bytes of a boxed object: its constructor id, then its fields. */
export const encodeTlObject = (object: TlObject): Uint8Array => {
  const w = new TlWriter()
  writeTlObject(w, object)
  return w.finish()
}

/** `decodeResult` takes the answer proper; `decodeLiteAnswer` also takes `liteServer.error`. */
export type TlFunction<K extends TlFunctionName> = {
  readonly id: number
  readonly encode: (args: TlArguments[K]) => Uint8Array
  readonly decodeResult: (bytes: Uint8Array) => TlResults[K]
  readonly encodeResult: (result: TlResults[K]) => Uint8Array
}

const createFunction = ({ name, id, result }: TlDescription): TlFunction<TlFunctionName> => {
  const encode = (args: unknown): Uint8Array => encodeBoxed(compiled.rows.get(name) as CompiledRow, args)
  if (result === undefined) {
    return { id, encode, decodeResult: decodeTlObject, encodeResult: encodeTlObject } as TlFunction<TlFunctionName>
  }
  const row = compiled.rows.get(result) as CompiledRow
  return {
    id,
    encode,
    decodeResult: (bytes: Uint8Array): unknown => decodeBoxed(bytes, row, result),
    encodeResult: (value: unknown): Uint8Array => encodeBoxed(row, value),
  } as TlFunction<TlFunctionName>
}

const decodeBoxed = (bytes: Uint8Array, { id, read }: CompiledRow, name: string): unknown => {
  const r = new TlReader(bytes)
  r.expectId(id, name)
  const value = read(r)
  r.expectEnd()
  return value
}

const encodeBoxed = ({ id, write }: CompiledRow, value: unknown): Uint8Array => {
  const w = new TlWriter()
  w.writeUint(id)
  write(w, value)
  return w.finish()
}

/** Every function by its name, for the client that calls it and the server that answers it. */
export const tlFunctions = Object.fromEntries(
  schema.rows.filter(({ isFunction }) => isFunction).map((row) => [row.name, createFunction(row)]),
) as unknown as { readonly [K in TlFunctionName]: TlFunction<K> }
