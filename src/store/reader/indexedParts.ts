import { type RawBuilder, sql } from 'kysely'

// What the indexes hold of addresses and hashes (migration 0012). It finds nearly nothing else; the whole is compared beside it.

type Part = RawBuilder<unknown>

/** Of an address, its last seven bytes. */
export const addressPart = (address: Part | ReturnType<typeof sql.ref>): Part =>
  sql`substring(${address} from 27 for 7)`

/** Of the hash of a body, its first seven bytes, or the next seven where rows are by the logical time of the receiver. */
export const bodyPart = (hash: Part | ReturnType<typeof sql.ref>, from: 1 | 8 = 1): Part =>
  // An empty body has no hash.
  sql`coalesce(substring(${hash} from ${sql.lit(from)} for 7), ${sql.raw("'\\x'")})`

/** Of the hash of an external-in message, its first eight bytes: they are in the order of the hashes. */
export const hashPart = (hash: Part): Part => sql`substring(${hash} from 1 for 8)`
