import { getU16LE } from '../../src/primitives/bytes.ts'

export type PackEntry = { readonly name: string; readonly data: Uint8Array }

const FILE_MAGIC = 0xae8fdd01
const ENTRY_MAGIC = 0x1e8b

/** The entries of an archive package, in its order. A package that is cut short or holds anything else is an error. */
export function* packEntries(bytes: Uint8Array): Generator<PackEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 4 || view.getUint32(0, true) !== FILE_MAGIC) throw new Error('This is not an archive package.')
  for (let at = 4; at < bytes.length; ) {
    if (at + 8 > bytes.length || getU16LE(bytes, at) !== ENTRY_MAGIC) throw new Error(`No entry starts at byte ${at}.`)
    const dataStart = at + 8 + getU16LE(bytes, at + 2)
    const end = dataStart + view.getUint32(at + 4, true)
    if (end > bytes.length) throw new Error(`The entry at byte ${at} is cut short.`)
    const name = Buffer.from(bytes.subarray(at + 8, dataStart)).toString('latin1')
    yield { name, data: bytes.subarray(dataStart, end) }
    at = end
  }
}
