import type pg from 'pg'
import { copyChunks } from '../../store/copy/copyChunks.ts'
import { copyRows } from '../../store/copy/copyRows.ts'
import { tables } from '../../store/tables.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { encodeLookups } from './encodeLookups.ts'
import { gatherRows } from './gatherRows.ts'
import { dropPresent, encodeContents, type NewContents } from './NewContents.ts'
import { toFinishedRow } from './traceRows.ts'

type EncodedTable = 'transactions' | 'unreceived_messages' | 'transaction_lookup' | 'message_contents'

const copyEncoded = async (client: pg.ClientBase, table: EncodedTable, parts: readonly Uint8Array[]): Promise<void> => {
  const chunks = parts.filter(({ length }) => length > 0)
  if (chunks.length > 0) await copyChunks(client, table, Object.keys(tables[table]), chunks)
}

/** Adds the rows that nobody has to look for first: no other batch has them, too. */
export const copyUnits = async (client: pg.ClientBase, batch: IndexBatch, now: Date): Promise<void> => {
  const { units, linked, inspected } = batch
  await copyRows(
    client,
    'indexed_blocks',
    units.map(({ seqno, genUtime, transactions, digest }) => ({
      mc_seqno: seqno,
      gen_utime: genUtime,
      tx_count: transactions.count,
      committed_at: now,
      digest,
    })),
  )
  await copyRows(
    client,
    'blocks',
    units.flatMap(({ blocks }) => blocks),
  )
  await copyRows(
    client,
    'shard_tops',
    units.flatMap(({ shardTops }) => shardTops),
  )
  await copyEncoded(
    client,
    'transactions',
    units.map(({ transactions }) => transactions.rows.bytes),
  )
  await copyEncoded(client, 'transaction_lookup', units.map(encodeLookups))
  await copyEncoded(
    client,
    'unreceived_messages',
    units.map(({ messages }, k) => gatherRows(messages.rows, linked.unreceived[k]!)),
  )
  if (linked.finished.length > 0) await copyRows(client, 'traces', linked.finished.map(toFinishedRow))
  const { jettonTransfers, jettonBurns, nftTransfers } = inspected
  if (jettonTransfers.length > 0) await copyRows(client, 'jetton_transfers', jettonTransfers)
  if (jettonBurns.length > 0) await copyRows(client, 'jetton_burns', jettonBurns)
  if (nftTransfers.length > 0) await copyRows(client, 'nft_transfers', nftTransfers)
}

/** Adds bodies and initial states that are not in their partition yet. */
export const copyContents = async (client: pg.ClientBase, added: readonly NewContents[]): Promise<void> => {
  for (const contents of added) {
    const missing = await dropPresent(client, contents)
    await copyEncoded(client, 'message_contents', [encodeContents(contents.start, missing)])
  }
}
