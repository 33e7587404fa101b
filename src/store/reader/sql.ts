import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'

export type Condition = RawBuilder<boolean>

/** The column has one of these values. They are one parameter, so the statement is the same for any number of them. */
export const isAnyOf = (
  column: string,
  values: readonly (Uint8Array | bigint | number | string)[],
): RawBuilder<boolean> => sql<boolean>`${sql.ref(column)} = any(${sql.val(values)})`

/** A query whose text is always the same: nothing has to be put together each time that it is asked. */
export const rawQuery = <Row>(sql: string, parameters: readonly unknown[]): CompiledQuery<Row> =>
  CompiledQuery.raw(sql, [...parameters])

/** Masterchain blocks, both ends included. */
export type SeqnoSpan = { readonly first: number; readonly last: number }

const MAX_SEQNO = 0x7fff_ffff

/**
 * The blocks from the lowest to the highest of some. A statement that names them opens no other partitions than theirs: those that
 * it comes to know of only while it runs it has to open all, which takes longer than to read from one.
 */
export const spanOf = (seqnos: readonly number[], before = 0, after = 0): SeqnoSpan => {
  let [first, last] = [MAX_SEQNO, 0]
  for (const seqno of seqnos) {
    if (seqno < first) first = seqno
    if (seqno > last) last = seqno
  }
  return { first: Math.max(0, first - before), last: Math.min(MAX_SEQNO, last + after) }
}

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

/** How long pages may be that are read together with those of others. */
export const MAX_SHORT_PAGE = 100

/** Makes something for each direction and length of a page once, when it is first asked for. */
export const pagesByLength = <T>(
  make: (direction: 'asc' | 'desc', length: number) => T,
): ((direction: 'asc' | 'desc', length: number) => T) => {
  const made = new Map<string, T>()
  return (direction, length) => {
    const name = `${direction} ${length}`
    const known = made.get(name) ?? make(direction, length)
    made.set(name, known)
    return known
  }
}

const WIDTH = rawQuery<{ partition_width: number }>('select partition_width from index_state', [])

/** By who was asked: it is the same for as long as an index is the same. */
const widths = new WeakMap<Reader, number>()

/** How many masterchain blocks a partition is for; `undefined` where there is no index yet. */
export const findPartitionWidth = async (reader: Reader): Promise<number | undefined> => {
  const known = widths.get(sharedBy(reader))
  if (known !== undefined) return known
  const width = (await reader.read(WIDTH))[0]?.partition_width
  if (width !== undefined) widths.set(sharedBy(reader), width)
  return width
}

/** Where something is not found in the partition in which it should be, it is perhaps another index by now. */
export const forgetPartitionWidth = (reader: Reader): void => {
  widths.delete(sharedBy(reader))
}

const sharedBy = (reader: Reader): Reader => reader.behind ?? reader
