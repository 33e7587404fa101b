import { hash } from 'node:crypto'
import { fromBase64 } from './base64.ts'
import { ParseError } from './errors.ts'
import { fromHex } from './hex.ts'

/** Spellings of a 32-byte hash. `base64` is padded and in either alphabet; unpadded text is taken as URL-safe only. */
export type HashForm = 'hex' | 'prefixed_hex' | 'base64' | 'unpadded_base64url'

const descriptions: Record<HashForm, string> = {
  hex: '64 hex digits',
  prefixed_hex: '0x and 64 hex digits',
  base64: '44 characters of padded base64',
  unpadded_base64url: '43 characters of base64url',
}

const detectForm = (text: string): HashForm | undefined => {
  if (text.length === 64) return 'hex'
  if (text.length === 66 && text.startsWith('0x')) return 'prefixed_hex'
  if (text.length === 44) return 'base64'
  if (text.length === 43 && !/[+/]/.test(text)) return 'unpadded_base64url'
  return undefined
}

/** Parses a hash of 32 bytes in one of the accepted forms, by default those of v2. */
export const parseHash = (
  text: string,
  accepted: readonly HashForm[] = ['hex', 'base64', 'unpadded_base64url'],
): Uint8Array => {
  const form = detectForm(text)
  if (form !== undefined && accepted.includes(form)) {
    if (form === 'hex') return fromHex(text, 32)
    if (form === 'prefixed_hex') return fromHex(text.slice(2), 32)
    const hash = fromBase64(text)
    // 44 characters without padding are 33 bytes.
    if (hash.length === 32) return hash
  }
  throw new ParseError(`a hash as ${accepted.map((each) => descriptions[each]).join(' or ')}`, text)
}

const HASH_BYTES = 32

/** One-shot SHA-256 of any number of bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(HASH_BYTES)
  sha256Into(bytes, out, 0)
  return out
}

/**
 * SHA-256 of the bytes, written to `out` at `outAt`. Most inputs are cells of at most a few hundred bytes, where the return from
 * native code dominates: a digest as a binary string costs a third of one as a Buffer.
 */
export const sha256Into = (bytes: Uint8Array, out: Uint8Array, outAt: number): void => {
  const digest = hash('sha256', bytes, 'binary')
  for (let k = 0; k < HASH_BYTES; k++) out[outAt + k] = digest.charCodeAt(k)
}
