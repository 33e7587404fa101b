import { TlReader } from './TlReader.ts'
import { TlWriter } from './TlWriter.ts'

/** A whole object of one known constructor, its id checked and nothing left over. */
export const decodeBoxed = <T>(bytes: Uint8Array, id: number, name: string, read: (r: TlReader) => T): T => {
  const r = new TlReader(bytes)
  r.expectId(id, name)
  const value = read(r)
  r.expectEnd()
  return value
}

/** The constructor id, then the fields. */
export const encodeBoxed = <T>(id: number, write: (w: TlWriter, value: T) => void, value: T): Uint8Array => {
  const w = new TlWriter()
  w.writeUint(id)
  write(w, value)
  return w.finish()
}
