import { concatBytes, getU32LE } from '../primitives/bytes.ts'
import { AdnlError } from './errors.ts'

// The handful of TL objects that the transport itself exchanges; the rest of TL is the caller's business.
const PING = Uint8Array.of(0x9a, 0x2b, 0x08, 0x4d)
const PONG = Uint8Array.of(0x03, 0xfb, 0x69, 0xdc)
const AUTHENTICATE = Uint8Array.of(0x12, 0xab, 0x5b, 0x44)
const AUTHENTICATION_NONCE = Uint8Array.of(0xb6, 0x4a, 0x5d, 0xe3)
const AUTHENTICATION_COMPLETE = Uint8Array.of(0xa6, 0x9e, 0xad, 0xf7)
const PUB_ED25519 = Uint8Array.of(0xc6, 0xb4, 0x13, 0x48)

const MAX_AUTH_NONCE = 512

const startsWith = (payload: Uint8Array, id: Uint8Array): boolean =>
  payload.length >= 4 && getU32LE(payload, 0) === getU32LE(id, 0)

/** tcp.ping random_id:long */
export const isPing = (payload: Uint8Array): boolean => payload.length === 12 && startsWith(payload, PING)

/** tcp.pong random_id:long */
export const isPong = (payload: Uint8Array): boolean => payload.length === 12 && startsWith(payload, PONG)

export const createPing = (randomId: Uint8Array): Uint8Array => concatBytes([PING, randomId])

export const answerPing = (ping: Uint8Array): Uint8Array => concatBytes([PONG, ping.subarray(4)])

/** tcp.authentificate nonce:bytes — the nonce of a client that wants to say who it is, or `undefined` for other payloads. */
export const findAuthRequest = (payload: Uint8Array): Uint8Array | undefined => {
  if (!startsWith(payload, AUTHENTICATE)) return undefined
  const { bytes, end } = readTlBytes(payload, 4)
  if (end !== payload.length || bytes.length < 1 || bytes.length > MAX_AUTH_NONCE) {
    throw new AdnlError(`An authentication nonce has 1 to ${MAX_AUTH_NONCE} bytes, this one is not well formed.`)
  }
  return bytes
}

/** tcp.authentificationNonce nonce:bytes */
export const createAuthNonce = (nonce: Uint8Array): Uint8Array =>
  concatBytes([AUTHENTICATION_NONCE, writeTlBytes(nonce)])

/** tcp.authentificationComplete key:PublicKey signature:bytes */
export const findAuthComplete = (
  payload: Uint8Array,
): { readonly publicKey: Uint8Array; readonly signature: Uint8Array } | undefined => {
  if (!startsWith(payload, AUTHENTICATION_COMPLETE)) return undefined
  if (payload.length < 40 || !startsWith(payload.subarray(4), PUB_ED25519)) {
    throw new AdnlError('A client completes its authentication without an Ed25519 key.')
  }
  const { bytes, end } = readTlBytes(payload, 40)
  if (end !== payload.length) throw new AdnlError('A client completes its authentication with bytes left over.')
  return { publicKey: payload.subarray(8, 40), signature: bytes }
}

const readTlBytes = (payload: Uint8Array, at: number): { readonly bytes: Uint8Array; readonly end: number } => {
  const first = payload[at] ?? 0xff
  if (first === 0xff) throw new AdnlError('A control message ends inside a byte string or holds one far too long.')
  const isLong = first === 0xfe
  const length = isLong ? getU32LE(payload, at) >>> 8 : first
  const start = at + (isLong ? 4 : 1)
  const end = (start + length + 3) & ~3
  if (end > payload.length) throw new AdnlError('A control message ends inside a byte string.')
  return { bytes: payload.subarray(start, start + length), end }
}

const writeTlBytes = (bytes: Uint8Array): Uint8Array => {
  const prefix =
    bytes.length < 254 ? [bytes.length] : [0xfe, bytes.length & 0xff, (bytes.length >> 8) & 0xff, bytes.length >> 16]
  const out = new Uint8Array((prefix.length + bytes.length + 3) & ~3)
  out.set(prefix)
  out.set(bytes, prefix.length)
  return out
}
