import type { Address } from './Address.ts'
import { toHex } from './hex.ts'
import { ParseError } from './ParseError.ts'

/** A key of a standard address: its workchain in one byte, then its hash. Bytes sort as the addresses of a workchain do. */
export const ADDRESS_KEY_BYTES = 33

/** What stands for an address that is none, one outside the chain, and one of another length than accounts have. */
export const ADDRESS_KEY_NONE: Uint8Array = new Uint8Array(0)
export const ADDRESS_KEY_EXTERN: Uint8Array = Uint8Array.of(1)
export const ADDRESS_KEY_VAR: Uint8Array = Uint8Array.of(2)

/** The 33 bytes by which the store knows an account. */
export const addressKeyOf = ({ workchain, hash }: Address): Uint8Array => {
  const key = new Uint8Array(ADDRESS_KEY_BYTES)
  key[0] = workchain
  key.set(hash, 1)
  return key
}

/** The account behind a key; the other three forms say only what kind of address there was. */
export const parseAddressKey = (key: Uint8Array): Address | 'none' | 'extern' | 'var' => {
  if (key.length === ADDRESS_KEY_BYTES) return { workchain: (key[0]! << 24) >> 24, hash: key.slice(1) }
  if (key.length === 0) return 'none'
  if (key.length === 1 && key[0] === 1) return 'extern'
  if (key.length === 1 && key[0] === 2) return 'var'
  throw new ParseError('an address key of 33 bytes, or of 0 or 1 for what is no account', toHex(key.subarray(0, 64)))
}
