import { createCipheriv, createDecipheriv } from 'node:crypto'

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
