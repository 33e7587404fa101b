import { concatBytes, putU16LE, putU32LE } from '../../src/primitives/bytes.ts'

export const packHead = Uint8Array.of(0x01, 0xdd, 0x8f, 0xae)

/** One entry of an archive package. `stated` lengths may lie. */
export const encodePackEntry = (
  name: string,
  data: Uint8Array,
  stated: { readonly nameLength?: number; readonly dataLength?: number } = {},
): Uint8Array => {
  const header = new Uint8Array(8)
  putU16LE(header, 0, 0x1e8b)
  putU16LE(header, 2, stated.nameLength ?? name.length)
  putU32LE(header, 4, stated.dataLength ?? data.length)
  return concatBytes([header, Buffer.from(name, 'latin1'), data])
}

/** A whole archive package. */
export const encodePack = (entries: readonly Uint8Array[]): Uint8Array => concatBytes([packHead, ...entries])
