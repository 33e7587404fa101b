const createTable = (): Uint16Array => {
  const table = new Uint16Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let register = byte << 8
    for (let bit = 0; bit < 8; bit++) register = (register << 1) ^ (register & 0x8000 ? 0x1021 : 0)
    table[byte] = register
  }
  return table
}

const table = createTable()
const encoder = new TextEncoder()

/** CRC-16/XMODEM of `bytes[start, end)`, as it closes a user-friendly address. */
export const crc16 = (bytes: Uint8Array, start = 0, end = bytes.length): number => {
  let crc = 0
  for (let i = start; i < end; i++) crc = ((crc << 8) & 0xffff) ^ table[(crc >>> 8) ^ bytes[i]!]!
  return crc
}

/** CRC-16/XMODEM of a text in UTF-8, as get-method ids are made of method names. */
export const crc16OfText = (text: string): number => crc16(encoder.encode(text))
