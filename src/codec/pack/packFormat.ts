import { putU16LE, putU32LE } from '../../primitives/bytes.ts'

// An archive package: a magic number, then entries without padding or checksum.
export const PACK_MAGIC = 0xae8fdd01
export const PACK_ENTRY_MAGIC = 0x1e8b
/** Where the first entry of a package starts. */
export const PACK_START = 4
/** Magic, length of the name, length of the data. */
export const PACK_ENTRY_HEADER = 8
export const MAX_PACK_DATA = 0x7fff_ffff

/** The first bytes of a package. */
export const packStart = (): Uint8Array => {
  const bytes = new Uint8Array(PACK_START)
  putU32LE(bytes, 0, PACK_MAGIC)
  return bytes
}

/** The header of an entry. */
export const packEntryHead = (name: string, dataLength: number): Uint8Array => {
  const text = new TextEncoder().encode(name)
  const head = new Uint8Array(PACK_ENTRY_HEADER + text.length)
  putU16LE(head, 0, PACK_ENTRY_MAGIC)
  putU16LE(head, 2, text.length)
  putU32LE(head, 4, dataLength)
  head.set(text, PACK_ENTRY_HEADER)
  return head
}
