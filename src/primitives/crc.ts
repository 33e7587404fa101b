const createCrc16Table = (): Uint16Array => {
  const table = new Uint16Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let register = byte << 8
    for (let bit = 0; bit < 8; bit++) register = (register << 1) ^ (register & 0x8000 ? 0x1021 : 0)
    table[byte] = register
  }
  return table
}

const crc16Table = createCrc16Table()
const encoder = new TextEncoder()

/** CRC-16/XMODEM of `bytes[start, end)`, the checksum of a user-friendly address. */
export const crc16 = (bytes: Uint8Array, start = 0, end = bytes.length): number => {
  let crc = 0
  for (let i = start; i < end; i++) crc = ((crc << 8) & 0xffff) ^ crc16Table[(crc >>> 8) ^ bytes[i]!]!
  return crc
}

/** CRC-16/XMODEM of a text in UTF-8, from which get-method ids are made. */
export const crc16OfText = (text: string): number => crc16(encoder.encode(text))

const slices = 16

/**
 * Table of the reflected CRC-32C. Entry `k * 256 + b` is the register after the byte `b` and `k` zero bytes: the
 * CRC folds in as many bytes at once as there are slices, by independent lookups.
 */
const createCrc32cTable = (): Int32Array => {
  const table = new Int32Array(slices * 256)
  for (let byte = 0; byte < 256; byte++) {
    let register = byte
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ (register & 1 ? 0x82f63b78 : 0)
    table[byte] = register
  }
  for (let i = 256; i < table.length; i++) {
    const previous = table[i - 256]!
    table[i] = (previous >>> 8) ^ table[previous & 0xff]!
  }
  return table
}

const crc32cTable = createCrc32cTable()

/** CRC-32C (Castagnoli) of `bytes[start, end)` as an unsigned number. The checksum of a bag of cells and of a validator set. */
export const crc32c = (bytes: Uint8Array, start = 0, end = bytes.length): number => {
  const t = crc32cTable
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
