import { createHmac, randomBytes } from 'node:crypto'

// Without letters that are taken for others. 32 of them, so that no byte is more likely than another.
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const NAME_LENGTH = 10
const SECRET_LENGTH = 32
const MAX_LENGTH = 80

const form = new RegExp(`^(cc_([a-z]{1,16})_[${LETTERS}]{${NAME_LENGTH}})_[${LETTERS}]{${SECRET_LENGTH}}$`)

/** A key as its owner has it, and how it begins: by that it may be called without being told. */
export type KeyText = { readonly text: string; readonly id: string; readonly network: string }

/** A new key, of 160 random bits. */
export const makeKey = (network: string): KeyText => {
  const id = `cc_${network}_${randomLetters(NAME_LENGTH)}`
  return { id, network, text: `${id}_${randomLetters(SECRET_LENGTH)}` }
}

const randomLetters = (count: number): string => {
  let letters = ''
  for (const byte of randomBytes(count)) letters += LETTERS[byte & 31]
  return letters
}

/** What a text says that has the form of a key. Nothing else is looked at any further. */
export const parseKey = (text: string): KeyText | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  const [, id, network] = form.exec(text) ?? []
  return id === undefined || network === undefined ? undefined : { text, id, network }
}

/** What is kept of a key. Whoever has it, but not the secret, cannot even tell whether a key that he guesses is right. */
export const hashKey = (secret: Uint8Array, text: string): Buffer =>
  createHmac('sha256', secret).update('key ').update(text).digest()

/** What is kept of an address from which keys were made. */
export const hashAddress = (secret: Uint8Array, address: string): Buffer =>
  createHmac('sha256', secret).update('address ').update(address).digest()

/** By it the secret is recognised. */
export const markSecret = (secret: Uint8Array): Buffer => createHmac('sha256', secret).update('mark').digest()
