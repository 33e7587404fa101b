import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { hasAnyIdPart, idParts, isId } from '../schema/idParts.ts'
import type { PartitionMap } from '../schema/PartitionMap.ts'
import type { Contents, MessageRow } from './messageRecord.ts'
import { findPartitions, rawQuery, readPartitions, spanOf } from './sql.ts'
import { keyText, OMITTED_CONTENT } from './TransactionRecord.ts'

/** A content, and the block that refers to it. */
type WantedContent = { readonly hash: Uint8Array; readonly mcSeqno: number }

/** A content whose partition is known. */
type ContentInPartition = { readonly hash: Uint8Array; readonly start: number }

/** `content` is null if the page is too large already. */
type ContentRow = { hash: Uint8Array; content: Uint8Array | null }

type PlacedRow = ContentRow & { start: number }

/** Looks only in the partition of the referring block. */
export const contentsInPartitionsQuery = (placed: readonly ContentInPartition[]): CompiledQuery<PlacedRow> => {
  const starts = placed.map(({ start }) => start)
  const { first, last } = spanOf(starts)
  return rawQuery(
    `select w.hash, w.start, c.content from unnest($1::bytea[], $2::integer[]) as w(hash, start) cross join lateral (
      select c.content from message_contents as c
      where ${isId('c.hash', 'w.hash')} and c.mc_seqno = w.start and c.mc_seqno >= $3 and c.mc_seqno <= $4 limit 1
    ) as c`,
    [placed.map(({ hash }) => hash), starts, first, last],
  )
}

/** The same where all are in one partition: one scan of its index finds them, and maybe others whose hashes begin alike. */
export const contentsInPartitionQuery = (hashes: readonly Uint8Array[], start: number): CompiledQuery<PlacedRow> =>
  rawQuery(
    `select hash, mc_seqno as start, content from message_contents where ${hasAnyIdPart('hash', '$1')} and mc_seqno = $2`,
    [idParts(hashes), start],
  )

const placedQuery = (placed: readonly ContentInPartition[], { isDistributed }: Reader): CompiledQuery<PlacedRow> => {
  const [one] = placed
  // On a cluster, the rows of the list tell which worker has each.
  return isDistributed || one === undefined || placed.some(({ start }) => start !== one.start)
    ? contentsInPartitionsQuery(placed)
    : contentsInPartitionQuery(
        placed.map(({ hash }) => hash),
        one.start,
      )
}

/** Up to this many contents, each no longer than a message can be, are read without measuring. */
const MAX_UNMEASURED = 256

/** Maximum bytes of contents per page. */
const MAX_CONTENT_BYTES = 32 * 1024 * 1024

/** Adds a size limit to a query of contents: the server does not even fetch those past it. */
const measuredQuery = ({ sql, parameters }: CompiledQuery<PlacedRow>, maxBytes: number): CompiledQuery<PlacedRow> =>
  rawQuery(
    `select m.hash, m.start, case when sum(octet_length(m.content)) over (rows unbounded preceding) <= $${parameters.length + 1}::bigint
      then m.content end as content
    from (${sql}) as m`,
    [...parameters, maxBytes],
  )

const placeText = ({ hash, start }: ContentInPartition): string => `${keyText(hash)} ${start}`

const readPlaced = batchReads<ContentInPartition, PlacedRow>({
  queryOf: placedQuery,
  textOf: placeText,
  textOfRow: placeText,
})

/** On a cluster contents are measured here: a sum over all of them would be a union with a part for each. */
const readMeasured = async (
  reader: Reader,
  placed: readonly ContentInPartition[],
  maxBytes: number,
): Promise<PlacedRow[]> => {
  const rows: PlacedRow[] = []
  let bytes = 0
  for (let at = 0; at < placed.length; at += MAX_UNMEASURED) {
    for (const row of await reader.read(contentsInPartitionsQuery(placed.slice(at, at + MAX_UNMEASURED)))) {
      bytes += row.content!.length
      rows.push(bytes <= maxBytes ? row : { ...row, content: null })
    }
  }
  return rows
}

const readAll = async (
  reader: Reader,
  wanted: ReadonlyMap<string, WantedContent>,
  maxBytes: number,
): Promise<readonly ContentRow[]> => {
  const list = [...wanted.values()]
  const isMeasured = list.length > MAX_UNMEASURED && Number.isFinite(maxBytes)
  const read = async (partitions: PartitionMap): Promise<readonly PlacedRow[]> => {
    const placed = list.map(({ hash, mcSeqno }) => ({ hash, start: partitions.find(mcSeqno)?.start ?? mcSeqno }))
    // A measured query is not batched: the limit would count the contents of other callers.
    if (!isMeasured) return (await readPlaced(reader, placed)).filter(({ hash }) => wanted.has(keyText(hash)))
    if (reader.isDistributed) return readMeasured(reader, placed, maxBytes)
    return reader.read(measuredQuery(contentsInPartitionsQuery(placed), maxBytes))
  }
  const seqnos = list.map(({ mcSeqno }) => mcSeqno)
  const rows = await read(await findPartitions(reader, seqnos))
  return rows.length >= list.length ? rows : read(await readPartitions(reader))
}

/** Bodies and initial states of messages; {@link OMITTED_CONTENT} for those past the size limit of a page. */
export const findContents = async (
  reader: Reader,
  messages: readonly MessageRow[],
  maxBytes = MAX_CONTENT_BYTES,
): Promise<Contents> => {
  const wanted = new Map<string, WantedContent>()
  for (const { body_hash, init_hash, mc_seqno: mcSeqno } of messages) {
    if (body_hash !== null) wanted.set(keyText(body_hash), { hash: body_hash, mcSeqno })
    if (init_hash !== null) wanted.set(keyText(init_hash), { hash: init_hash, mcSeqno })
  }
  const contents = new Map<string, Uint8Array>()
  if (wanted.size === 0) return contents
  for (const { hash, content } of await readAll(reader, wanted, maxBytes)) {
    contents.set(keyText(hash), content ?? OMITTED_CONTENT)
  }
  return contents
}
