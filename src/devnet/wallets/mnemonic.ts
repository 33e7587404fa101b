import { createHmac, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { wordlist } from '@ton/crypto/dist/mnemonic/wordlist.js'

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
