import type pg from 'pg'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { findShards, isDistributed } from '../../store/distributed/engine.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import { idParts, isAnyId } from '../../store/schema/idParts.ts'
import type { PartitionMap } from '../../store/schema/PartitionMap.ts'
import { tables } from '../../store/schema/tables.ts'
import { copyChunks, copyRows } from '../../store/writer/copyRows.ts'
import type { DecodedBlockSet, DecodedContents, EncodedRows } from '../blockSets.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { KeySet, newestAccountsOf } from '../newestAccounts.ts'
import { toFinishedRow } from './traces.ts'

// Column count, then each column with its length: two of eight bytes and one of four.
const LOOKUP_BYTES = 2 + 12 + 12 + 8

const LOOKUP_COLUMNS = ['hash_key', 'lt', 'mc_seqno'] as const

/** Encoded transaction_lookup rows of a block set. The account is needed on a cluster only. */
const encodeLookups = (
  { seqno, transactions }: Pick<DecodedBlockSet, 'seqno' | 'transactions'>,
  withAccount: boolean,
): Uint8Array => {
  const { count, hashes, lts, accounts } = transactions
  const rowBytes = withAccount ? LOOKUP_BYTES + 4 + ADDRESS_KEY_BYTES : LOOKUP_BYTES
  const rows = new Uint8Array(count * rowBytes)
  const view = new DataView(rows.buffer)
  for (let k = 0, at = 0; k < count; k++, at += rowBytes) {
    view.setInt16(at, withAccount ? 4 : 3)
    view.setInt32(at + 2, 8)
    for (let byte = 0; byte < 8; byte++) rows[at + 6 + byte] = hashes[k * HASH_BYTES + byte]!
    view.setInt32(at + 14, 8)
    view.setBigInt64(at + 18, lts[k]!)
    view.setInt32(at + 26, 4)
    view.setInt32(at + 30, seqno)
    if (!withAccount) continue
    view.setInt32(at + LOOKUP_BYTES, ADDRESS_KEY_BYTES)
    rows.set(accounts.subarray(k * ADDRESS_KEY_BYTES, (k + 1) * ADDRESS_KEY_BYTES), at + LOOKUP_BYTES + 4)
  }
  return rows
}

/** Copies the lookups of the transactions of block sets. */
export const copyLookups = async (
  client: pg.ClientBase,
  blockSets: readonly Pick<DecodedBlockSet, 'seqno' | 'transactions'>[],
): Promise<void> => {
  const withAccount = isDistributed(client)
  const chunks = blockSets.map((each) => encodeLookups(each, withAccount)).filter(({ length }) => length > 0)
  const columns = withAccount ? [...LOOKUP_COLUMNS, 'account'] : LOOKUP_COLUMNS
  if (chunks.length > 0) await copyChunks(client, 'transaction_lookup', columns, chunks)
}

/** Concatenates some of the rows, in the order given. */
export const gatherRows = ({ bytes, ends }: EncodedRows, indexes: ArrayLike<number>): Uint8Array => {
  if (indexes.length === ends.length) return bytes
  const startOf = (index: number): number => (index === 0 ? 0 : ends[index - 1]!)
  let size = 0
  for (let k = 0; k < indexes.length; k++) size += ends[indexes[k]!]! - startOf(indexes[k]!)
  const gathered = new Uint8Array(size)
  let at = 0
  for (let k = 0; k < indexes.length; ) {
    // Adjacent rows are copied together.
    const from = indexes[k]!
    let to = from
    while (++k < indexes.length && indexes[k] === to + 1) to++
    const part = bytes.subarray(startOf(from), ends[to]!)
    gathered.set(part, at)
    at += part.length
  }
  return gathered
}

const HASH_BYTES = 32
const MAX_BITS = 17
/** With work at both ends of a range, two partitions are filled alternately; a batch may span two. */
const MAX_PARTITIONS = 4

type Content = { readonly contents: DecodedContents; readonly index: number }

/** Contents that may be missing in one partition, without duplicates. */
export type NewContents = { readonly start: number; readonly contents: readonly Content[] }

/** Caches which contents are stored, by partition: most are repeated soon or never. */
export class ContentCache {
  readonly #partitions = new LruCache<KeySet, number>(MAX_PARTITIONS)

  clear(): void {
    this.#partitions.clear()
  }

  /** The contents of consecutive block sets that may be new. */
  select(
    blockSets: readonly Pick<DecodedBlockSet, 'seqno' | 'contents'>[],
    partitions: PartitionMap,
  ): readonly NewContents[] {
    const selected = new Map<number, { readonly seen: KeySet; readonly contents: Content[] }>()
    const count = blockSets.reduce((sum, { contents }) => sum + contents.count, 0)
    for (const { seqno, contents } of blockSets) {
      const start = partitions.startOf(seqno)
      const known = this.#partitions.find(start)
      const { seen, contents: chosen } = selected.get(start) ?? {
        seen: new KeySet(HASH_BYTES, 30, count),
        contents: [],
      }
      selected.set(start, { seen, contents: chosen })
      for (let index = 0; index < contents.count; index++) {
        const at = index * HASH_BYTES
        if (known?.has(contents.hashes, at)) continue
        if (seen.add(contents.hashes, at)) chosen.push({ contents, index })
      }
    }
    return [...selected].map(([start, { contents }]) => ({ start, contents }))
  }

  /** Call it after the commit. */
  add(added: readonly NewContents[]): void {
    for (const { start, contents } of added) {
      let known = this.#partitions.find(start)
      if (known === undefined) {
        known = new KeySet(HASH_BYTES, MAX_BITS)
        this.#partitions.set(start, known)
      }
      for (const { contents: of, index } of contents) known.add(of.hashes, index * HASH_BYTES)
    }
  }
}

const hashOf = ({ contents, index }: Content): Uint8Array =>
  contents.hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)

/** Filters out contents that exist. */
const dropPresent = async (client: pg.ClientBase, { start, contents }: NewContents): Promise<readonly Content[]> => {
  if (contents.length === 0) return []
  const hashes = contents.map(hashOf)
  const rows: { readonly hash: Uint8Array }[] = []
  for (const some of findShards(client)?.group('message_contents', hashes) ?? [hashes]) {
    const found = await client.query<{ hash: Uint8Array }>(
      `SELECT hash FROM message_contents WHERE mc_seqno = $1 AND ${isAnyId('hash', '$2', '$3')}`,
      [start, some, idParts(some)],
    )
    for (const row of found.rows) rows.push(row)
  }
  if (rows.length === 0) return contents
  const present = new KeySet(HASH_BYTES, 30, rows.length)
  for (const { hash } of rows) present.add(hash)
  return contents.filter(({ contents: of, index }) => !present.has(of.hashes, index * HASH_BYTES))
}

// Column count and the first column: the seqno with its length.
const HEAD_BYTES = 10
const COUNT_BYTES = 2

/** Encoded message_contents rows: those of decoding, with the column mc_seqno in front. */
const encodeContents = (start: number, contents: readonly Content[]): Uint8Array => {
  const rowOf = ({ contents: { rows }, index }: Content): Uint8Array =>
    rows.bytes.subarray((index === 0 ? 0 : rows.ends[index - 1]!) + COUNT_BYTES, rows.ends[index]!)
  const parts = contents.map(rowOf)
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length + HEAD_BYTES, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const part of parts) {
    view.setInt16(at, 3)
    view.setInt32(at + 2, 4)
    view.setInt32(at + 6, start)
    bytes.set(part, at + HEAD_BYTES)
    at += HEAD_BYTES + part.length
  }
  return bytes
}

type EncodedTable = 'transactions' | 'unreceived_messages' | 'message_contents'

const copyEncoded = async (client: pg.ClientBase, table: EncodedTable, parts: readonly Uint8Array[]): Promise<void> => {
  const chunks = parts.filter(({ length }) => length > 0)
  if (chunks.length > 0) await copyChunks(client, table, Object.keys(tables[table]), chunks)
}

/** Copies rows that no other batch can have, so that no lookup is needed. */
export const copyBlockSets = async (client: pg.ClientBase, batch: IndexBatch, now: Date): Promise<void> => {
  const { blockSets, linked, inspected } = batch
  await copyRows(
    client,
    'indexed_blocks',
    blockSets.map(({ seqno, genUtime, transactions, digest }) => ({
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
    blockSets.flatMap(({ blocks }) => blocks),
  )
  await copyRows(
    client,
    'shard_tops',
    blockSets.flatMap(({ shardTops }) => shardTops),
  )
  await copyEncoded(
    client,
    'transactions',
    blockSets.map(({ transactions }) => transactions.rows.bytes),
  )
  await copyLookups(client, blockSets)
  await copyEncoded(
    client,
    'unreceived_messages',
    blockSets.map(({ messages }, k) => gatherRows(messages.rows, linked.unreceived[k]!)),
  )
  // On a cluster they name their accounts, which are known later: see routedTraces.ts.
  if (linked.finished.length > 0 && !isDistributed(client)) {
    await copyRows(client, 'traces', linked.finished.map(toFinishedRow))
  }
  const { jettonTransfers, jettonBurns, nftTransfers } = inspected
  if (jettonTransfers.length > 0) await copyRows(client, 'jetton_transfers', jettonTransfers)
  if (jettonBurns.length > 0) await copyRows(client, 'jetton_burns', jettonBurns)
  if (nftTransfers.length > 0) await copyRows(client, 'nft_transfers', nftTransfers)
  const balances = listBalances(batch)
  if (balances.length > 0) await copyRows(client, 'jetton_balances', balances)
}

/** Jetton wallets whose newest transaction is in the batch. Others were written again from the store, with a newer balance. */
const listBalances = ({ blockSets, inspected }: IndexBatch): CopyRow<typeof tables.jetton_balances>[] => {
  const wallets = inspected.contracts.jetton_wallets
  if (wallets.length === 0) return []
  const newest = newestAccountsOf(blockSets)
  return wallets.flatMap(({ address, last_lt: lt, balance }) => {
    const account = newest.find(address)
    return account?.touched.lastLt === lt ? [{ lt, mc_seqno: account.seqno, balance, address }] : []
  })
}

/** Copies bodies and initial states missing in their partition. */
export const copyContents = async (client: pg.ClientBase, added: readonly NewContents[]): Promise<void> => {
  for (const contents of added) {
    const missing = await dropPresent(client, contents)
    await copyEncoded(client, 'message_contents', [encodeContents(contents.start, missing)])
  }
}
