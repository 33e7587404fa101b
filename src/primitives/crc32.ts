import { createCrcTable } from './crcTable.ts'

const table = createCrcTable(0xedb88320, 1)
const encoder = new TextEncoder()

/** CRC-32 (IEEE 802.3) as an unsigned number. */
export const crc32 = (bytes: Uint8Array): number => {
  let crc = -1
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]!) & 0xff]!
  return ~crc >>> 0
}

/** CRC-32 of a text in UTF-8, as TL constructor ids are made of schema lines. */
export const crc32OfText = (text: string): number => crc32(encoder.encode(text))
