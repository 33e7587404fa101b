import { createCrcTable } from './crcTable.ts'

const slices = 16
const table = createCrcTable(0x82f63b78, slices)

/** CRC-32C (Castagnoli) of `bytes[start, end)` as an unsigned number. It closes a bag of cells and names a validator set. */
export const crc32c = (bytes: Uint8Array, start = 0, end = bytes.length): number => {
  const t = table
  let crc = -1
  let i = start
  for (const last = end - slices; i <= last; i += slices) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    crc =
      t[0xf00 + (crc & 0xff)]! ^
      t[0xe00 + ((crc >>> 8) & 0xff)]! ^
      t[0xd00 + ((crc >>> 16) & 0xff)]! ^
      t[0xc00 + (crc >>> 24)]! ^
      t[0xb00 + bytes[i + 4]!]! ^
      t[0xa00 + bytes[i + 5]!]! ^
      t[0x900 + bytes[i + 6]!]! ^
      t[0x800 + bytes[i + 7]!]! ^
      t[0x700 + bytes[i + 8]!]! ^
      t[0x600 + bytes[i + 9]!]! ^
      t[0x500 + bytes[i + 10]!]! ^
      t[0x400 + bytes[i + 11]!]! ^
      t[0x300 + bytes[i + 12]!]! ^
      t[0x200 + bytes[i + 13]!]! ^
      t[0x100 + bytes[i + 14]!]! ^
      t[bytes[i + 15]!]!
  }
  for (; i < end; i++) crc = (crc >>> 8) ^ t[(crc ^ bytes[i]!) & 0xff]!
  return ~crc >>> 0
}
