import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type ApiKey, findKey, insertKey, isLive, replaceKey } from '../../store/keys/apiKeys.ts'

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

export type KeyWish = Pick<ApiKey, 'network' | 'plan' | 'rate' | 'note' | 'isSelfMade'> & {
  /** Whoever has no other keys is known by this one. */
  readonly owner?: string | undefined
}

/** A key that was made. The text is told once, and kept nowhere. */
export type IssuedKey = { readonly text: string; readonly id: string }

export const issueKey = async (client: pg.ClientBase, secret: Uint8Array, wish: KeyWish): Promise<IssuedKey> => {
  const { network, plan, rate, note, isSelfMade } = wish
  const { text, id } = makeKey(network)
  const { owner = id } = wish
  const hash = hashKey(secret, text)
  await insertKey(client, { id, hash, network, plan, owner, rate, note, isSelfMade, createdAt: new Date() })
  return { text, id }
}

/** A new key in place of another, which works for a while longer; `undefined` where there is none that works. */
export const rotateKey = async (
  client: pg.ClientBase,
  secret: Uint8Array,
  id: string,
  overlapMs: number,
): Promise<(IssuedKey & { readonly until: Date }) | undefined> => {
  const old = await findKey(client, id)
  const now = Date.now()
  if (old === undefined || !isLive(old, now)) return undefined
  const issued = await issueKey(client, secret, old)
  // It is not to last longer than it would have without this.
  const until = new Date(Math.min(now + overlapMs, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY))
  await replaceKey(client, id, issued.id, until)
  return { ...issued, until }
}
