import { readTlObject, type TlKind, type TlObject, writeTlObject } from './generated/objects.ts'
import { TlError } from './TlError.ts'
import { MAX_TL_BYTES, TlReader } from './TlReader.ts'
import { TlWriter } from './TlWriter.ts'

/** Any boxed object of the table, type or function; `kind` says which. Bytes inside are views of the input. */
export const decodeTlObject = (bytes: Uint8Array, maxBytes: number = MAX_TL_BYTES): TlObject => {
  const r = new TlReader(bytes, maxBytes)
  const object = readTlObject(r)
  r.expectEnd()
  return object
}

/** A boxed object that has to be of one kind: a database value, a packet that only one answer fits. */
export const decodeTlObjectAs = <K extends TlKind>(kind: K, bytes: Uint8Array): TlObject<K> => {
  const object: TlObject = decodeTlObject(bytes)
  if (object.kind !== kind) throw new TlError('bad_value', 0, `Expected ${kind}, got ${object.kind}`)
  return object as TlObject<K>
}

/** The bytes of a boxed object: its constructor id, then its fields. */
export const encodeTlObject = (object: TlObject): Uint8Array => {
  const w = new TlWriter()
  writeTlObject(w, object)
  return w.finish()
}
