/**
 * Table of a reflected 32-bit CRC. Entry `k * 256 + b` is the register after the byte `b` and `k` zero bytes: with several
 * slices that many bytes are folded in at once, by lookups that do not wait for each other.
 */
export const createCrcTable = (reversedPolynomial: number, slices: number): Int32Array => {
  const table = new Int32Array(slices * 256)
  for (let byte = 0; byte < 256; byte++) {
    let register = byte
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ (register & 1 ? reversedPolynomial : 0)
    table[byte] = register
  }
  for (let i = 256; i < table.length; i++) {
    const previous = table[i - 256]!
    table[i] = (previous >>> 8) ^ table[previous & 0xff]!
  }
  return table
}
