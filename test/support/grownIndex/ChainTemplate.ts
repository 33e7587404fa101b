import assert from 'node:assert/strict'
import type { DecodedBlockSet } from '../../../src/indexer/blockSets.ts'
import { type BlockIdExt, masterchain } from '../../../src/primitives/BlockId.ts'
import { fromSignedShard } from '../../../src/primitives/shard.ts'
import type { CopyRow } from '../../../src/store/schema/columns.ts'
import { tables } from '../../../src/store/schema/tables.ts'
import { readCopiedRows } from '../copyRows.ts'
import type { RecordedBatch, RecordedChain } from './recordChain.ts'

export type TransactionRow = CopyRow<typeof tables.transactions>
export type MessageRow = CopyRow<typeof tables.unreceived_messages>

/** A transaction with the messages that it sent. */
export type TemplateTransaction = { readonly row: TransactionRow; readonly sent: readonly MessageRow[] }

/** A block set whose rows can be read and changed. */
export type TemplateBlockSet = {
  readonly decoded: DecodedBlockSet
  readonly transactions: readonly TemplateTransaction[]
}

export type TemplateBatch = Omit<RecordedBatch, 'blockSets'> & {
  readonly blockSets: readonly TemplateBlockSet[]
  readonly transactions: number
}

export const addressText = (address: Uint8Array): string =>
  Buffer.from(address.buffer, address.byteOffset, address.length).toString('latin1')

/** A recorded chain, ready to be copied, with what its copies take up. */
export class ChainTemplate {
  readonly name: string
  readonly batches: readonly TemplateBatch[]
  readonly blockSets: number
  readonly transactions: number
  /** Copies end before the first of these that the next begins with. */
  readonly firstLt: bigint
  readonly ltSpan: bigint
  readonly firstUtime: number
  readonly timeSpan: number
  /** Of blocks outside the masterchain. */
  readonly lastShardSeqno: number
  /** The newest block of each shard at the end, and the last of the masterchain. */
  readonly tops: readonly BlockIdExt[]
  /** The first and the last transaction of each account. */
  readonly histories: ReadonlyMap<string, { readonly first: TransactionRow; readonly last: TransactionRow }>

  constructor({ name, batches }: RecordedChain) {
    this.name = name
    this.batches = batches.map(({ blockSets, ...rest }) => ({
      ...rest,
      blockSets: blockSets.map(toTemplateBlockSet),
      transactions: blockSets.reduce((sum, { transactions }) => sum + transactions.count, 0),
    }))
    const blockSets = batches.flatMap((batch) => batch.blockSets)
    assert.deepEqual(
      blockSets.map(({ seqno }) => seqno),
      blockSets.map((_, k) => k + 1),
      'a chain is copied from its first block on',
    )
    this.blockSets = blockSets.length
    this.transactions = this.batches.reduce((sum, batch) => sum + batch.transactions, 0)
    const blocks = blockSets.flatMap((blockSet) => blockSet.blocks)
    this.firstLt = blocks.reduce((least, { start_lt }) => (start_lt < least ? start_lt : least), blocks[0]!.start_lt)
    const lastLt = blocks.reduce((most, { end_lt }) => (end_lt > most ? end_lt : most), 0n)
    this.ltSpan = (1n + (lastLt - this.firstLt) / LT_STEP) * LT_STEP
    this.firstUtime = Math.min(...blocks.map(({ gen_utime }) => gen_utime))
    this.timeSpan = Math.max(...blocks.map(({ gen_utime }) => gen_utime)) - this.firstUtime + 1
    this.lastShardSeqno = Math.max(...blocks.map(({ workchain, seqno }) => (workchain === masterchain ? 0 : seqno)))
    this.tops = listTops(blockSets)
    this.histories = listHistories(this.batches)
  }
}

/** Logical times of a masterchain block begin at a multiple of it. */
const LT_STEP = 1_000_000n

const toTemplateBlockSet = (decoded: DecodedBlockSet): TemplateBlockSet => {
  const rows = readCopiedRows(tables.transactions, decoded.transactions.rows) as unknown as TransactionRow[]
  const messages = readCopiedRows(tables.unreceived_messages, decoded.messages.rows) as unknown as MessageRow[]
  const { outStarts } = decoded.transactions
  return {
    decoded,
    transactions: rows.map((row, k) => ({ row, sent: messages.slice(outStarts[k], outStarts[k + 1]) })),
  }
}

const listTops = (blockSets: readonly DecodedBlockSet[]): BlockIdExt[] => {
  const ids = new Map(
    blockSets
      .flatMap(({ blocks }) => blocks)
      .map(({ workchain, shard, seqno, root_hash, file_hash }) => [
        `${workchain} ${shard} ${seqno}`,
        { workchain, shard: fromSignedShard(shard), seqno, rootHash: root_hash, fileHash: file_hash },
      ]),
  )
  const last = blockSets.at(-1)!
  const master = last.blocks.find(({ workchain }) => workchain === masterchain)!
  return [master, ...last.shardTops].map(({ workchain, shard, seqno }) => ids.get(`${workchain} ${shard} ${seqno}`)!)
}

const listHistories = (batches: readonly TemplateBatch[]): ChainTemplate['histories'] => {
  const histories = new Map<string, { readonly first: TransactionRow; readonly last: TransactionRow }>()
  for (const { blockSets } of batches) {
    for (const { row } of blockSets.flatMap(({ transactions }) => transactions)) {
      const key = addressText(row.account)
      histories.set(key, { first: histories.get(key)?.first ?? row, last: row })
    }
  }
  return histories
}
