import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { bytesEqual, concatBytes } from '../primitives/bytes.ts'
import { sha256 } from '../primitives/hash.ts'
import { AdnlError } from './errors.ts'
import { keyIdOf, publicKeyOf, sharedSecret } from './keys.ts'

export const HANDSHAKE_BYTES = 256
const PARAMS_BYTES = 160

/** What a client sends first, and the parameters both ends then make their ciphers of. */
export type Handshake = { readonly packet: Uint8Array; readonly params: Uint8Array }

/** A server's key, kept with what is derived from it. */
export type ServerKey = { readonly seed: Uint8Array; readonly publicKey: Uint8Array; readonly id: Uint8Array }

export const createServerKey = (seed: Uint8Array): ServerKey => {
  const publicKey = publicKeyOf(seed)
  return { seed, publicKey, id: keyIdOf(publicKey) }
}

const handshakeCipher = (secret: Uint8Array, digest: Uint8Array): { key: Uint8Array; iv: Uint8Array } => ({
  key: concatBytes([secret.subarray(0, 16), digest.subarray(16, 32)]),
  iv: concatBytes([digest.subarray(0, 4), secret.subarray(20, 32)]),
})

/** The first packet of a client. Seed and parameters are random unless a recorded session is reproduced. */
export const createHandshake = (
  serverPublicKey: Uint8Array,
  seed: Uint8Array = randomBytes(32),
  params: Uint8Array = new Uint8Array(randomBytes(PARAMS_BYTES)),
): Handshake => {
  const digest = sha256(params)
  const { key, iv } = handshakeCipher(sharedSecret(seed, serverPublicKey), digest)
  const encrypted = createCipheriv('aes-256-ctr', key, iv).update(params)
  return { packet: concatBytes([keyIdOf(serverPublicKey), publicKeyOf(seed), digest, encrypted]), params }
}

/** The parameters in a client's first packet, or an error where it is not meant for any of the keys. */
export const acceptHandshake = (packet: Uint8Array, keys: readonly ServerKey[]): Uint8Array => {
  const keyId = packet.subarray(0, 32)
  const serverKey = keys.find(({ id }) => bytesEqual(id, keyId))
  if (serverKey === undefined) throw new AdnlError('A client asked for a key that this server does not have.')
  const digest = packet.subarray(64, 96)
  const { key, iv } = handshakeCipher(sharedSecret(serverKey.seed, packet.subarray(32, 64)), digest)
  const params = new Uint8Array(createDecipheriv('aes-256-ctr', key, iv).update(packet.subarray(96, HANDSHAKE_BYTES)))
  if (!bytesEqual(sha256(params), digest)) {
    throw new AdnlError('The parameters of a handshake do not have the hash that the client stated.')
  }
  return params
}

/** One keystream for each direction, running on for the life of a connection. */
export type Ciphers = { encrypt(plain: Uint8Array): Uint8Array; decrypt(cipher: Uint8Array): Uint8Array }

const createCiphers = (
  encryptKey: Uint8Array,
  encryptIv: Uint8Array,
  decryptKey: Uint8Array,
  decryptIv: Uint8Array,
): Ciphers => {
  const encryptor = createCipheriv('aes-256-ctr', encryptKey, encryptIv)
  const decryptor = createDecipheriv('aes-256-ctr', decryptKey, decryptIv)
  return {
    encrypt: (plain) => asBytes(encryptor.update(plain)),
    decrypt: (cipher) => asBytes(decryptor.update(cipher)),
  }
}

// Slices of a Buffer are Buffers again and would spread through everything that is read from the wire.
const asBytes = ({ buffer, byteOffset, length }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, length)

export const createClientCiphers = (params: Uint8Array): Ciphers =>
  createCiphers(params.subarray(32, 64), params.subarray(80, 96), params.subarray(0, 32), params.subarray(64, 80))

export const createServerCiphers = (params: Uint8Array): Ciphers =>
  createCiphers(params.subarray(0, 32), params.subarray(64, 80), params.subarray(32, 64), params.subarray(80, 96))
