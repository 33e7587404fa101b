import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** The key of the one validator. */
export type ValidatorKey = { readonly publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array }

/** What stands before the 32 bytes of an Ed25519 key in its PKCS #8 form. */
const PKCS8_HEAD = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32])

export const createValidatorKey = (seed: Uint8Array): ValidatorKey => {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: new Uint8Array(publicKey.subarray(publicKey.length - 32)),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  }
}
