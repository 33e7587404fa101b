import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { partitionStart } from '../partitions/dividedTables.ts'
import { keyText } from './keyText.ts'
import type { Contents, MessageRow } from './MessageRow.ts'
import { findPartitionWidth, forgetPartitionWidth } from './partitionWidth.ts'
import { rawQuery } from './rawQuery.ts'
import { spanOf } from './seqnoSpan.ts'

/** A content, and the block that names it. */
type WantedContent = { readonly hash: Uint8Array; readonly mcSeqno: number }

/** One of which it is known at which block its partition begins. */
type PlacedContent = { readonly hash: Uint8Array; readonly start: number }

type ContentRow = { hash: Uint8Array; content: Uint8Array }

/** Each in the partition of the block that names it, and nowhere else. */
export const contentsQuery = (wanted: readonly WantedContent[]): CompiledQuery<ContentRow> =>
  rawQuery(
    `select w.hash, c.content from (
      select w.hash, w.mc_seqno - w.mc_seqno % i.partition_width as start
      from index_state as i, unnest($1::bytea[], $2::integer[]) as w(hash, mc_seqno)
    ) as w cross join lateral (
      select c.content from message_contents as c where c.hash = w.hash and c.mc_seqno = w.start limit 1
    ) as c`,
    [wanted.map(({ hash }) => hash), wanted.map(({ mcSeqno }) => mcSeqno)],
  )

type PlacedRow = ContentRow & { start: number }

/** The same where it is known how wide partitions are. */
export const placedContentsQuery = (placed: readonly PlacedContent[]): CompiledQuery<PlacedRow> => {
  const starts = placed.map(({ start }) => start)
  const { first, last } = spanOf(starts)
  return rawQuery(
    `select w.hash, w.start, c.content from unnest($1::bytea[], $2::integer[]) as w(hash, start) cross join lateral (
      select c.content from message_contents as c
      where c.hash = w.hash and c.mc_seqno = w.start and c.mc_seqno >= $3 and c.mc_seqno <= $4 limit 1
    ) as c`,
    [placed.map(({ hash }) => hash), starts, first, last],
  )
}

const placeText = ({ hash, start }: PlacedContent): string => `${keyText(hash)} ${start}`

const readPlaced = joinReads<PlacedContent, PlacedRow>({
  queryOf: placedContentsQuery,
  textOf: placeText,
  textOfRow: placeText,
})

const readAll = async (reader: Reader, wanted: readonly WantedContent[]): Promise<readonly ContentRow[]> => {
  const width = await findPartitionWidth(reader)
  if (width !== undefined) {
    const placed = wanted.map(({ hash, mcSeqno }) => ({ hash, start: partitionStart(mcSeqno, width) }))
    const rows = await readPlaced(reader, placed)
    if (rows.length >= wanted.length) return rows
    forgetPartitionWidth(reader)
  }
  return reader.read(contentsQuery(wanted))
}

/** Bodies and initial states of messages. */
export const findContents = async (reader: Reader, messages: readonly MessageRow[]): Promise<Contents> => {
  const wanted = new Map<string, WantedContent>()
  for (const { body_hash, init_hash, mc_seqno: mcSeqno } of messages) {
    if (body_hash !== null) wanted.set(keyText(body_hash), { hash: body_hash, mcSeqno })
    if (init_hash !== null) wanted.set(keyText(init_hash), { hash: init_hash, mcSeqno })
  }
  const contents = new Map<string, Uint8Array>()
  if (wanted.size === 0) return contents
  for (const { hash, content } of await readAll(reader, [...wanted.values()])) contents.set(keyText(hash), content)
  return contents
}
