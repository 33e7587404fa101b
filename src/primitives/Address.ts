import { fromBase64 } from './base64.ts'
import { bytesEqual, compareBytes, getU16BE, putU16BE } from './bytes.ts'
import { crc16 } from './crc.ts'
import { ParseError } from './errors.ts'
import { fromHex, toHex, toUpperHex } from './hex.ts'

/** A standard internal address: `workchain` is a signed 8-bit integer, so that every address has all the text forms. */
export type Address = { readonly workchain: number; readonly hash: Uint8Array }

/** The flags of a user-friendly form; the defaults are bounceable, any network, URL-safe. */
export type FriendlyFlags = {
  readonly bounceable?: boolean
  readonly testOnly?: boolean
  readonly urlSafe?: boolean
}

/** A user-friendly form taken apart. Where both alphabets print the same text, `urlSafe` is true. */
export type FriendlyAddress = Required<FriendlyFlags> & { readonly address: Address }

const baseTag = 0x11
const nonBounceableFlag = 0x40
const testOnlyFlag = 0x80
const friendlyLength = 48
const rawPattern = /^(0|-?[1-9][0-9]{0,2}):([0-9a-fA-F]{64})$/

/** Reads an address in any form: `workchain:hex` in either case, or user-friendly with any flags in either alphabet. */
export const parseAddress = (text: string): Address =>
  text.length === friendlyLength ? parseFriendlyAddress(text).address : parseRawAddress(text)

const parseRawAddress = (text: string): Address => {
  const [, number, hex] = rawPattern.exec(text) ?? []
  const workchain = Number(number)
  if (hex === undefined || workchain < -128 || workchain > 127) {
    throw new ParseError('an address, raw (workchain:hex) or user-friendly (48 base64 characters)', text)
  }
  return { workchain, hash: fromHex(hex) }
}

/** Reads the user-friendly form only: 48 characters of base64 with a good tag and checksum. */
export const parseFriendlyAddress = (text: string): FriendlyAddress => {
  const bytes = text.length === friendlyLength ? fromBase64(text) : undefined
  if (bytes?.length !== 36) throw new ParseError('a user-friendly address of 48 base64 characters', text)
  const tag = bytes[0]!
  if ((tag & ~(nonBounceableFlag | testOnlyFlag)) !== baseTag) {
    throw new ParseError('a user-friendly address with a known tag', text)
  }
  if (crc16(bytes, 0, 34) !== getU16BE(bytes, 34)) {
    throw new ParseError('a user-friendly address with a matching checksum', text)
  }
  return {
    address: { workchain: (bytes[1]! << 24) >> 24, hash: bytes.slice(2, 34) },
    bounceable: (tag & nonBounceableFlag) === 0,
    testOnly: (tag & testOnlyFlag) !== 0,
    urlSafe: !/[+/]/.test(text),
  }
}

/** `workchain:hex` in lower case. */
export const formatRawAddress = ({ workchain, hash }: Address): string => `${workchain}:${toHex(hash)}`

/** `workchain:HEX` in upper case, the form of the indexed interface. */
export const formatUpperRawAddress = ({ workchain, hash }: Address): string => `${workchain}:${toUpperHex(hash)}`

const scratch = Buffer.alloc(36)

/** The user-friendly form: bounceable, for any network and URL-safe unless the flags say otherwise. */
export const formatFriendlyAddress = ({ workchain, hash }: Address, flags: FriendlyFlags = {}): string => {
  const { bounceable = true, testOnly = false, urlSafe = true } = flags
  scratch[0] = baseTag | (bounceable ? 0 : nonBounceableFlag) | (testOnly ? testOnlyFlag : 0)
  scratch[1] = workchain
  scratch.set(hash, 2)
  putU16BE(scratch, 34, crc16(scratch, 0, 34))
  return scratch.toString(urlSafe ? 'base64url' : 'base64')
}

/** Same workchain and same hash. */
export const addressesEqual = (a: Address, b: Address): boolean =>
  a.workchain === b.workchain && bytesEqual(a.hash, b.hash)

/** Order by workchain, then by the bytes of the hash. */
export const compareAddresses = (a: Address, b: Address): number =>
  a.workchain - b.workchain || compareBytes(a.hash, b.hash)

/** A key of a standard address: its workchain in one byte, then its hash. Bytes sort as the addresses of a workchain do. */
export const ADDRESS_KEY_BYTES = 33

/** The keys of addr_none, of an external address, and of an address of another length than accounts have. */
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
  throw new ParseError(
    'an address key of 33 bytes, or of 0 or 1 for an address that is not an account',
    toHex(key.subarray(0, 64)),
  )
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const tag = 0x2d

/** An ADNL address as people write it: 55 characters of base32, a checksum among them. */
export const formatAdnlAddress = (id: Uint8Array): string => {
  const bytes = new Uint8Array([tag, ...id, 0, 0])
  const sum = crc16(bytes.subarray(0, 33))
  bytes[33] = sum >> 8
  bytes[34] = sum & 0xff
  // The first character is the same for all of them, and left out.
  return toBase32(bytes).slice(1)
}

const toBase32 = (bytes: Uint8Array): string => {
  let text = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    heldBits += 8
    for (; heldBits >= 5; heldBits -= 5) text += alphabet[(held >> (heldBits - 5)) & 31]
  }
  return text
}
