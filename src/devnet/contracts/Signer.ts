import { publicKeyOf, signWith } from '../../adnl/keys.ts'

/** An Ed25519 key that signs. */
export type Signer = { readonly publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array }

/** The key of a seed of 32 bytes. */
export const createSigner = (seed: Uint8Array): Signer => ({
  publicKey: publicKeyOf(seed),
  sign: signWith(seed),
})
