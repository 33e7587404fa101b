import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type ApiKey, findKey, insertKey, isLive, replaceKey } from '../../store/keys/apiKeys.ts'

// 32 letters without look-alikes, so that random bytes map to them evenly.
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const NAME_LENGTH = 10
const SECRET_LENGTH = 32
const MAX_LENGTH = 80

const form = new RegExp(`^(cc_([a-z]{1,16})_[${LETTERS}]{${NAME_LENGTH}})_[${LETTERS}]{${SECRET_LENGTH}}$`)

/** A key as its owner has it, and its public prefix, which is safe to log. */
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

/** Parses a text in the format of a key; `undefined` otherwise. */
export const parseKey = (text: string): KeyText | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  const [, id, network] = form.exec(text) ?? []
  return id === undefined || network === undefined ? undefined : { text, id, network }
}

/** The stored hash of a key (HMAC): without the secret, a guessed key cannot be verified. */
export const hashKey = (secret: Uint8Array, text: string): Buffer =>
  createHmac('sha256', secret).update('key ').update(text).digest()

/** The stored hash of a client address that created keys. */
export const hashAddress = (secret: Uint8Array, address: string): Buffer =>
  createHmac('sha256', secret).update('address ').update(address).digest()

/** A fingerprint of the secret. */
export const markSecret = (secret: Uint8Array): Buffer => createHmac('sha256', secret).update('mark').digest()

export type KeyOptions = Pick<ApiKey, 'network' | 'plan' | 'rate' | 'note' | 'isSelfMade'> & {
  /** Owner of the key; by default the key itself. */
  readonly owner?: string | undefined
  /** By default those of any key: see keyScopes.ts. */
  readonly scopes?: readonly string[] | undefined
}

/** A new key. Its text is shown once and never stored. */
export type IssuedKey = { readonly text: string; readonly id: string }

export const issueKey = async (client: pg.ClientBase, secret: Uint8Array, wish: KeyOptions): Promise<IssuedKey> => {
  const { network, plan, scopes, rate, note, isSelfMade } = wish
  const { text, id } = makeKey(network)
  const { owner = id } = wish
  const hash = hashKey(secret, text)
  await insertKey(client, { id, hash, network, plan, scopes, owner, rate, note, isSelfMade, createdAt: new Date() })
  return { text, id }
}

/** Replaces a key, which stays valid for a grace period; `undefined` if it is not active. */
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
  // The grace period never extends the expiry of the old key.
  const until = new Date(Math.min(now + overlapMs, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY))
  await replaceKey(client, id, issued.id, until)
  return { ...issued, until }
}
