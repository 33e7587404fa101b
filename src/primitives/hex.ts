import { hexSlice } from './bytes.ts'
import { ParseError } from './errors.ts'

const notHex = 0xff

const createDigits = (): Uint8Array => {
  const digits = new Uint8Array(128).fill(notHex)
  for (let value = 0; value < 16; value++) {
    const digit = value.toString(16)
    digits[digit.charCodeAt(0)] = value
    digits[digit.toUpperCase().charCodeAt(0)] = value
  }
  return digits
}

const digits = createDigits()

/** Lower-case hex, two digits a byte. */
export const toHex = (bytes: Uint8Array): string => hexSlice.call(bytes, 0, bytes.length)

/** Upper-case hex, two digits a byte. */
export const toUpperHex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase()

/** As {@link toUpperHex}, without the bytes before `start`. */
export const toUpperHexFrom = (bytes: Uint8Array, start: number): string =>
  hexSlice.call(bytes, start, bytes.length).toUpperCase()

/** Bytes from hex in either case, of exactly `byteLength` bytes when it is given. */
export const fromHex = (text: string, byteLength?: number): Uint8Array => {
  const length = byteLength ?? text.length >>> 1
  if (text.length !== length * 2) throw new ParseError(describe(byteLength), text)
  const bytes = new Uint8Array(length)
  // Not Buffer.from(text, 'hex'): it stops silently at a bad digit and takes 'ı' (U+0131) for '1'.
  for (let i = 0, at = 0; i < length; i++, at += 2) {
    const high = digits[text.charCodeAt(at)] ?? notHex
    const low = digits[text.charCodeAt(at + 1)] ?? notHex
    if ((high | low) > 15) throw new ParseError(describe(byteLength), text)
    bytes[i] = (high << 4) | low
  }
  return bytes
}

const describe = (byteLength: number | undefined): string =>
  byteLength === undefined ? 'an even number of hex digits' : `${byteLength * 2} hex digits`

/** An opcode: hexadecimal, or a signed decimal without a prefix. The value is signed, as stored. */
export const parseOpcode = (text: string): number => {
  const [, prefix, hex] = /^(0[xX])?([0-9a-fA-F]{1,8})$/.exec(text) ?? []
  if (hex !== undefined) return Number.parseInt(hex, 16) | 0
  const value = prefix === undefined && /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= -0x8000_0000 && value <= 0x7fff_ffff)) throw new ParseError('an opcode', text)
  return value
}
