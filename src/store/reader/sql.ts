import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { MAX_SEQNO, PartitionMap } from '../schema/PartitionMap.ts'
import { partitionedTables, partitionsText } from '../schema/tables.ts'

export type Condition = RawBuilder<boolean>

/** The column has one of these values. They are one parameter, so the statement is the same for any number of them. */
export const isAnyOf = (
  column: string,
  values: readonly (Uint8Array | bigint | number | string)[],
): RawBuilder<boolean> => sql<boolean>`${sql.ref(column)} = any(${sql.val(values)})`

/** A query with a constant text: nothing is composed per call. */
export const rawQuery = <Row>(sql: string, parameters: readonly unknown[]): CompiledQuery<Row> =>
  CompiledQuery.raw(sql, [...parameters])

/** A range of masterchain blocks, both ends included. */
export type SeqnoSpan = { readonly first: number; readonly last: number }

/**
 * The range from the lowest to the highest block. A statement with this range opens only its partitions; with block numbers known
 * only at run time it would open all of them, which takes longer than reading from one.
 */
export const spanOf = (seqnos: readonly number[], before = 0, after = 0): SeqnoSpan => {
  let [first, last] = [MAX_SEQNO, 0]
  for (const seqno of seqnos) {
    if (seqno < first) first = seqno
    if (seqno > last) last = seqno
  }
  return { first: Math.max(0, first - before), last: Math.min(MAX_SEQNO, last + after) }
}

// Indexes store parts of addresses and hashes (migration 0012). Collisions are rare; statements compare the whole value as well.

type Part = RawBuilder<unknown>

/** The indexed part of an address: its last seven bytes. */
export const addressPart = (address: Part | ReturnType<typeof sql.ref>): Part =>
  sql`substring(${address} from 27 for 7)`

/** The indexed part of a body hash: its first seven bytes, or the next seven in the index by the receiver's logical time. */
export const bodyPart = (hash: Part | ReturnType<typeof sql.ref>, from: 1 | 8 = 1): Part =>
  // An empty body has no hash.
  sql`coalesce(substring(${hash} from ${sql.lit(from)} for 7), ${sql.raw("'\\x'")})`

/** The indexed part of an external-in message hash: its first eight bytes, which keep the order of hashes. */
export const hashPart = (hash: Part): Part => sql`substring(${hash} from 1 for 8)`

/** The indexed form of an account with an opcode: a hash that every supported server can compute (migration 0022). */
export const accountOpcodePart = (account: Part, opcode: Part): Part =>
  sql`hash_array_extended(array[${account}], ${opcode}::bigint)`

/** Maximum length of pages that are batched. */
export const MAX_SHORT_PAGE = 100

/** Caches a value for each direction and length of a page. */
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

const PARTITIONS = rawQuery<{ first: number; last: number }>(
  `select first, last from (${partitionsText}) as p where table_name = '${partitionedTables[0]}'`,
  [],
)

const partitionMaps = new WeakMap<Reader, PartitionMap>()

/** The partitions of the index, those of these blocks among them if they exist. */
export const findPartitions = async (reader: Reader, seqnos: readonly number[]): Promise<PartitionMap> => {
  const known = partitionMaps.get(sharedBy(reader))
  return known !== undefined && seqnos.every((seqno) => known.find(seqno) !== undefined)
    ? known
    : readPartitions(reader)
}

/** For when something is missing in the partition where it should be: the index may have been replaced. */
export const readPartitions = async (reader: Reader): Promise<PartitionMap> => {
  const rows = await reader.read(PARTITIONS)
  const map = new PartitionMap(rows.map(({ first, last }) => ({ start: first, end: last + 1 })))
  partitionMaps.set(sharedBy(reader), map)
  return map
}

const sharedBy = (reader: Reader): Reader => reader.behind ?? reader
