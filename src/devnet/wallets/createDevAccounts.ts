import { createSigner, type Signer } from '../contracts/Signer.ts'
import { createWallet, type Wallet } from './createWallet.ts'
import { deriveMnemonic, mnemonicToKeySeed } from './mnemonic.ts'
import type { WalletKind } from './walletKinds.ts'

/** An account that is there for the developer: its secrets are no secret. */
export type DevAccount = {
  readonly name: string
  readonly mnemonic: readonly string[]
  readonly wallet: Wallet
  readonly key: Signer
}

/** What an account comes from: its words, and the seed of the key that they stand for. */
export type AccountSecret = { readonly mnemonic: readonly string[]; readonly keySeed: Uint8Array }

const cast: readonly (readonly [name: string, kind: WalletKind])[] = [
  ['alice', 'v4r2'],
  ['bob', 'v5r1'],
  ['carol', 'v4r2'],
  ['dave', 'v4r2'],
  ['erin', 'v5r1'],
  ['frank', 'v3r2'],
  ['grace', 'highload-v3'],
  ['heidi', 'v4r2'],
  ['ivan', 'v4r2'],
  ['judy', 'v5r1'],
]

/** The secrets of ten accounts, the same for the same seed. This takes all cores a while; it does not block. */
export const deriveAccountSecrets = (seed: Uint8Array): Promise<readonly AccountSecret[]> =>
  Promise.all(
    cast.map(async (_, index) => {
      const mnemonic = await deriveMnemonic(seed, index)
      return { mnemonic, keySeed: await mnemonicToKeySeed(mnemonic) }
    }),
  )

/** The ten accounts of these secrets. */
export const openDevAccounts = (
  secretOf: (index: number) => AccountSecret,
  networkGlobalId: number,
): readonly DevAccount[] =>
  cast.map(([name, kind], index) => {
    const { mnemonic, keySeed } = secretOf(index)
    const key = createSigner(keySeed)
    return { name, mnemonic, wallet: createWallet(kind, key.publicKey, networkGlobalId), key }
  })

/** Ten accounts, the same for the same seed. */
export const createDevAccounts = async (seed: Uint8Array, networkGlobalId: number): Promise<readonly DevAccount[]> => {
  const secrets = await deriveAccountSecrets(seed)
  return openDevAccounts((index) => secrets[index]!, networkGlobalId)
}
