const digits = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0))
const LONGEST = 128
const scratch = Buffer.alloc(2 * LONGEST)

/**
 * Upper-case hex of up to 128 bytes, which is all a cell has. Half of what decoding a transfer takes went into hex; this
 * is several times as fast as the general way, which makes a buffer, a lower-case string and an upper-case one.
 */
export const upperHex = (bytes: Uint8Array): string => {
  const length = bytes.length
  for (let k = 0; k < length; k++) {
    const byte = bytes[k]!
    scratch[2 * k] = digits[byte >> 4]!
    scratch[2 * k + 1] = digits[byte & 15]!
  }
  return scratch.toString('latin1', 0, 2 * length)
}
