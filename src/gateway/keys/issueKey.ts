import type pg from 'pg'
import { type ApiKey, findKey, insertKey, isLive, replaceKey } from '../../store/keys/apiKeys.ts'
import { hashKey, makeKey } from './keyText.ts'

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
