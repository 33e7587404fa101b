import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { keyText } from './keyText.ts'
import type { Contents, MessageRow } from './MessageRow.ts'

type WantedContent = { readonly hash: Uint8Array; readonly mcSeqno: number }

/** Each in the partition of the block that names it, and nowhere else. */
export const contentsQuery = (wanted: readonly WantedContent[]) => {
  const hashes = wanted.map(({ hash }) => hash)
  const seqnos = wanted.map(({ mcSeqno }) => mcSeqno)
  return queryBuilder
    .selectFrom(
      sql<{ hash: Uint8Array; start: number }>`(
        select w.hash, w.mc_seqno - w.mc_seqno % i.partition_width as start
        from index_state as i, unnest(${sql.val(hashes)}::bytea[], ${sql.val(seqnos)}::integer[]) as w(hash, mc_seqno)
      )`.as('w'),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('message_contents as c')
          .select('c.content')
          .whereRef('c.hash', '=', 'w.hash')
          .whereRef('c.mc_seqno', '=', 'w.start')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['w.hash', 'c.content'])
}

/** Bodies and initial states of messages. */
export const findContents = async (reader: Reader, messages: readonly MessageRow[]): Promise<Contents> => {
  const wanted = new Map<string, WantedContent>()
  for (const { body_hash, init_hash, mc_seqno: mcSeqno } of messages) {
    for (const hash of [body_hash, init_hash]) if (hash !== null) wanted.set(keyText(hash), { hash, mcSeqno })
  }
  if (wanted.size === 0) return new Map()
  const rows = await reader.read(contentsQuery([...wanted.values()]).compile())
  return new Map(rows.map(({ hash, content }) => [keyText(hash), content]))
}
