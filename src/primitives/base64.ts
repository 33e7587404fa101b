import { base64Slice, base64urlSlice } from './bytes.ts'
import { ParseError } from './errors.ts'

/** Padded base64 in the standard alphabet. */
export const toBase64 = (bytes: Uint8Array): string => base64Slice.call(bytes, 0, bytes.length)

/** Unpadded base64 in the URL-safe alphabet. */
export const toBase64Url = (bytes: Uint8Array): string => base64urlSlice.call(bytes, 0, bytes.length)

/**
 * Bytes from base64 in the standard or the URL-safe alphabet, with all of its padding or none of it. Refuses a mix of the
 * alphabets, stray bits in the last digit, blanks and anything else that no encoder prints.
 */
export const fromBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64')
  const urlSafe = text.includes('-') || text.includes('_')
  const unpadded = urlSafe ? bytes.toString('base64url') : bytes.toString('base64').replace(/=+$/, '')
  const padding = '='.repeat(-unpadded.length & 3)
  // The decoder skips what it does not know; a text is good exactly when its bytes encode back to it.
  if (text !== unpadded && text !== unpadded + padding) throw new ParseError('base64', text)
  return new Uint8Array(bytes)
}

/** Bytes from padded base64 in the standard alphabet, and in no other spelling. */
export const fromPaddedBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64')
  if (text !== bytes.toString('base64')) throw new ParseError('padded base64 in the standard alphabet', text)
  return new Uint8Array(bytes)
}
