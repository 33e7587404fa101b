import { createHmac, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { wordlist } from '@ton/crypto/dist/mnemonic/wordlist.js'
import { createSigner, type Signer } from '../contracts/messages.ts'
import { createWallet, type Wallet, type WalletKind } from './wallets.ts'

const WORDS = 24
const BITS_PER_WORD = 11
const ROUNDS = 100_000

const stretch = promisify(pbkdf2)

const entropyOf = (words: readonly string[]): Buffer => createHmac('sha512', words.join(' ')).digest()

/** One in 256 lists of words counts as valid: this is the rule's way of catching mistakes. */
const isValid = async (words: readonly string[]): Promise<boolean> =>
  (await stretch(entropyOf(words), 'TON seed version', Math.floor(ROUNDS / 256), 64, 'sha512'))[0] === 0

/** 24 words, the same for the same seed and index, valid without a password. */
export const deriveMnemonic = async (seed: Uint8Array, index: number): Promise<readonly string[]> => {
  for (let attempt = 0; ; attempt++) {
    const bytes = createHmac('sha512', seed).update(`mnemonic ${index} attempt ${attempt}`).digest()
    const words = pickWords(bytes)
    if (await isValid(words)) return words
  }
}

const pickWords = (bytes: Uint8Array): readonly string[] => {
  const words: string[] = []
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    if (bits < BITS_PER_WORD) continue
    bits -= BITS_PER_WORD
    words.push(wordlist[held >> bits]!)
    held &= (1 << bits) - 1
    if (words.length === WORDS) break
  }
  return words
}

/** The seed of the key that a mnemonic stands for, 32 bytes. */
export const mnemonicToKeySeed = async (words: readonly string[]): Promise<Uint8Array> =>
  new Uint8Array((await stretch(entropyOf(words), 'TON default seed', ROUNDS, 64, 'sha512')).subarray(0, 32))

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
