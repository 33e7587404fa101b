import { createHash, createPrivateKey, createPublicKey, diffieHellman, type KeyObject, sign, verify } from 'node:crypto'
import { concatBytes } from '../primitives/bytes.ts'
import { sha256 } from '../primitives/hash.ts'
import { AdnlError } from './errors.ts'

// DER wrappers in which node:crypto takes bare 32-byte keys.
const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const ED25519_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex')
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex')

const P = 2n ** 255n - 19n

const importPrivate = (prefix: Buffer, key: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([prefix, key]), format: 'der', type: 'pkcs8' })

const importPublic = (prefix: Buffer, key: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([prefix, key]), format: 'der', type: 'spki' })

/** The public key of a 32-byte Ed25519 seed. */
export const publicKeyOf = (seed: Uint8Array): Uint8Array => {
  const der = createPublicKey(importPrivate(ED25519_PRIVATE, seed)).export({ format: 'der', type: 'spki' })
  return new Uint8Array(der.subarray(ED25519_PUBLIC.length))
}

/** What names a key on the wire: the hash of its boxed TL form (pub.ed25519). */
export const keyIdOf = (publicKey: Uint8Array): Uint8Array =>
  sha256(concatBytes([Uint8Array.of(0xc6, 0xb4, 0x13, 0x48), publicKey]))

/** Signs with a 32-byte Ed25519 seed. To take the seed in costs twice as much as to sign, so that is done once. */
export const signWith = (seed: Uint8Array): ((message: Uint8Array) => Uint8Array) => {
  const key = importPrivate(ED25519_PRIVATE, seed)
  return (message) => new Uint8Array(sign(null, message, key))
}

/** Checks an Ed25519 signature. A key or signature of another length is no valid one. */
export const isSignatureValid = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  publicKey.length === 32 &&
  signature.length === 64 &&
  verify(null, message, importPublic(ED25519_PUBLIC, publicKey), signature)

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % P
    square = (square * square) % P
  }
  return result
}

/** An Ed25519 point as X25519 wants it: u = (1 + y) / (1 − y). */
const toMontgomery = (publicKey: Uint8Array): Uint8Array => {
  const littleEndian = Uint8Array.from(publicKey)
  littleEndian[31]! &= 0x7f
  const y = BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`) % P
  const u = ((1n + y) * power((1n - y + P) % P, P - 2n)) % P
  return Uint8Array.from(Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse())
}

/** The secret that both ends of a handshake derive, each from its own seed and the other's public key. */
export const sharedSecret = (seed: Uint8Array, peerPublicKey: Uint8Array): Uint8Array => {
  const scalar = createHash('sha512').update(seed).digest().subarray(0, 32)
  try {
    const secret = diffieHellman({
      privateKey: importPrivate(X25519_PRIVATE, scalar),
      publicKey: importPublic(X25519_PUBLIC, toMontgomery(peerPublicKey)),
    })
    return new Uint8Array(secret)
  } catch (cause) {
    throw new AdnlError('No secret can be shared with the key that the other end presented.', { cause })
  }
}
