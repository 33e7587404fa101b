import { createHash } from 'node:crypto'
import { RowEncoder } from '../../store/copy/RowEncoder.ts'
import { tables } from '../../store/tables.ts'
import type { DecodedUnit, EncodedRows } from '../DecodedUnit.ts'

const blocks = new RowEncoder(tables.blocks)
const shardTops = new RowEncoder(tables.shard_tops)

type Encoded = { readonly rows: Pick<EncodedRows, 'bytes'> }

/** What the digest of a unit is made of: as decoding has it, or as it was read back from the database. */
export type DigestedRows = Pick<DecodedUnit, 'blocks' | 'shardTops'> & {
  readonly transactions: Encoded
  readonly messages: Encoded
}

/**
 * Over the rows as they are written, with zeros for their trace ids: those of transactions by lt, workchain and account, of
 * messages in the order of their senders; blocks and shard tops may come in any order.
 */
export const digestRows = ({
  blocks: blockRows,
  shardTops: topRows,
  transactions,
  messages,
}: DigestedRows): Uint8Array => {
  for (const row of blockRows.toSorted(comparePlaces)) blocks.add(row)
  for (const row of topRows.toSorted(comparePlaces)) shardTops.add(row)
  const digest = createHash('sha256')
    .update(blocks.take())
    .update(shardTops.take())
    .update(transactions.rows.bytes)
    .update(messages.rows.bytes)
    .digest()
  return new Uint8Array(digest)
}

type Place = { readonly workchain: number; readonly shard: bigint; readonly seqno: number }

const comparePlaces = (a: Place, b: Place): number =>
  a.workchain - b.workchain || a.seqno - b.seqno || Number(a.shard - b.shard)
