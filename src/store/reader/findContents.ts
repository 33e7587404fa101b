import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { partitionStart } from '../partitions/dividedTables.ts'
import { keyText } from './keyText.ts'
import type { Contents, MessageRow } from './MessageRow.ts'
import { rawQuery } from './rawQuery.ts'
import { type SeqnoSpan, spanOf } from './seqnoSpan.ts'

type WantedContent = { readonly hash: Uint8Array; readonly mcSeqno: number }

type ContentRow = { hash: Uint8Array; content: Uint8Array }

/** Where they may be, if nothing is known of it. */
const ANYWHERE: SeqnoSpan = { first: 0, last: 0x7fff_ffff }

/** Each in the partition of the block that names it, and nowhere else. */
export const contentsQuery = (
  wanted: readonly WantedContent[],
  { first, last }: SeqnoSpan = ANYWHERE,
): CompiledQuery<ContentRow> =>
  rawQuery(
    `select w.hash, c.content from (
      select w.hash, w.mc_seqno - w.mc_seqno % i.partition_width as start
      from index_state as i, unnest($1::bytea[], $2::integer[]) as w(hash, mc_seqno)
    ) as w cross join lateral (
      select c.content from message_contents as c
      where c.hash = w.hash and c.mc_seqno = w.start and c.mc_seqno >= $3 and c.mc_seqno <= $4 limit 1
    ) as c`,
    [wanted.map(({ hash }) => hash), wanted.map(({ mcSeqno }) => mcSeqno), first, last],
  )

const WIDTH = rawQuery<{ partition_width: number }>('select partition_width from index_state', [])

/** How wide the partitions are, by who was asked: it is the same for as long as an index is the same. */
const widths = new WeakMap<Reader, number>()

const findSpan = async (reader: Reader, wanted: readonly WantedContent[]): Promise<SeqnoSpan> => {
  const known = widths.get(reader)
  const width = known ?? (await reader.read(WIDTH))[0]?.partition_width
  if (width === undefined) return ANYWHERE
  if (known === undefined) widths.set(reader, width)
  return spanOf(wanted.map(({ mcSeqno }) => partitionStart(mcSeqno, width)))
}

/** Bodies and initial states of messages. */
export const findContents = async (reader: Reader, messages: readonly MessageRow[]): Promise<Contents> => {
  const wanted = new Map<string, WantedContent>()
  for (const { body_hash, init_hash, mc_seqno: mcSeqno } of messages) {
    for (const hash of [body_hash, init_hash]) if (hash !== null) wanted.set(keyText(hash), { hash, mcSeqno })
  }
  if (wanted.size === 0) return new Map()
  const all = [...wanted.values()]
  let rows = await reader.read(contentsQuery(all, await findSpan(reader, all)))
  if (rows.length < all.length) {
    // Perhaps it is another index by now.
    widths.delete(reader)
    rows = await reader.read(contentsQuery(all))
  }
  return new Map(rows.map(({ hash, content }) => [keyText(hash), content]))
}
