import type { CompiledQuery } from 'kysely'
import { masterchain } from '../../primitives/BlockId.ts'
import type { Reader } from '../connect/Database.ts'
import { isId } from '../schema/idParts.ts'
import { queryBuilder } from '../schema/tables.ts'
import { type ActionRecord, actionColumns, toActionRecord } from './actions.ts'
import { toInt4 } from './page.ts'
import { isAnyOf, rawQuery } from './sql.ts'
import type { TransactionRow } from './TransactionRecord.ts'
import type { TraceRecord } from './traces.ts'

// Reads of the event log, by masterchain block.

type RangeRow = { first_seqno: number; last_seqno: number; root_hash: Uint8Array | null }

export const indexedRangesQuery = (mcSeqno: number): CompiledQuery<RangeRow> =>
  rawQuery(
    `select r.first_seqno, r.last_seqno,
      (select b.root_hash from blocks as b where b.mc_seqno = $1 and b.workchain = ${masterchain} limit 1) as root_hash
    from covered_ranges as r order by r.first_seqno desc`,
    [mcSeqno],
  )

/** Masterchain blocks from the first to the last, all indexed. */
export type IndexedRange = { readonly first: number; readonly last: number }

export type IndexedRanges = {
  /** The newest first. */
  readonly ranges: readonly IndexedRange[]
  /** Root hash of the masterchain block that was asked for; `undefined` if it is not indexed. */
  readonly rootHash: Uint8Array | undefined
}

/** What is indexed, and whether it still has a block. */
export const findIndexedRanges = async (reader: Reader, mcSeqno: number): Promise<IndexedRanges> => {
  const rows = await reader.read(indexedRangesQuery(mcSeqno))
  const ranges = rows.map(({ first_seqno: first, last_seqno: last }) => ({ first, last }))
  return { ranges, rootHash: rows[0]?.root_hash ?? undefined }
}

export const masterchainHashesQuery = (first: number, last: number) =>
  queryBuilder
    .selectFrom('blocks')
    .select(['mc_seqno', 'root_hash'])
    .where('mc_seqno', '>=', first)
    .where('mc_seqno', '<=', last)
    .where('workchain', '=', masterchain)
    .orderBy('mc_seqno', 'desc')

/** Root hashes of masterchain blocks, the newest first. */
export const findMasterchainHashes = async (
  reader: Reader,
  first: number,
  last: number,
): Promise<{ readonly mcSeqno: number; readonly rootHash: Uint8Array }[]> => {
  const rows = await reader.read(masterchainHashesQuery(first, last).compile())
  return rows.map(({ mc_seqno: mcSeqno, root_hash: rootHash }) => ({ mcSeqno, rootHash }))
}

export const queuedBlocksQuery = (first: number, last: number) =>
  queryBuilder
    .selectFrom('unclassified_blocks')
    .select('mc_seqno')
    .distinct()
    .where('mc_seqno', '>=', first)
    .where('mc_seqno', '<=', last)

/** Blocks of a range whose traces wait for classification. */
export const findQueuedBlocks = async (reader: Reader, first: number, last: number): Promise<Set<number>> =>
  new Set((await reader.read(queuedBlocksQuery(first, last).compile())).map(({ mc_seqno }) => mc_seqno))

type StatusRow = { mc_seqno: number; root_hash: Uint8Array; committed_at: Date; gen_utime: number; is_queued: boolean }

export const blockStatusQuery = (mcSeqno: number): CompiledQuery<StatusRow> =>
  rawQuery(
    `select b.mc_seqno, b.root_hash, i.committed_at, i.gen_utime,
      exists (select 1 from unclassified_blocks as u where u.mc_seqno = b.mc_seqno) as is_queued
    from blocks as b join indexed_blocks as i on i.mc_seqno = b.mc_seqno
    where b.mc_seqno >= $1 and b.mc_seqno <= $2 and i.mc_seqno >= $1 and i.mc_seqno <= $2 and b.workchain = ${masterchain}
    order by b.mc_seqno desc`,
    [mcSeqno - 1, mcSeqno],
  )

/** A masterchain block in the index. */
export type IndexedBlockStatus = {
  readonly rootHash: Uint8Array
  readonly committedAtMs: number
  readonly utime: number
  /** Its traces are to be classified, for the first time or again. */
  readonly isQueued: boolean
  /** Root hash of the block before it, if that is indexed. */
  readonly previousHash: Uint8Array | undefined
}

/** `undefined` if it is not indexed. */
export const findBlockStatus = async (reader: Reader, mcSeqno: number): Promise<IndexedBlockStatus | undefined> => {
  const [row, before] = await reader.read(blockStatusQuery(mcSeqno))
  if (row?.mc_seqno !== mcSeqno) return undefined
  return {
    rootHash: row.root_hash,
    committedAtMs: row.committed_at.getTime(),
    utime: row.gen_utime >>> 0,
    isQueued: row.is_queued,
    previousHash: before?.root_hash,
  }
}

export const blockBeforeQuery = (utime: number) =>
  queryBuilder
    .selectFrom('blocks')
    .select('mc_seqno')
    .where('workchain', '=', masterchain)
    .where('gen_utime', '<=', toInt4(utime))
    .orderBy('gen_utime', 'desc')
    .orderBy('mc_seqno', 'desc')
    .limit(1)

/** The last indexed masterchain block that is not newer than a unix time. */
export const findBlockBefore = async (reader: Reader, utime: number): Promise<number | undefined> =>
  (await reader.read(blockBeforeQuery(utime).compile()))[0]?.mc_seqno

/** Actions are found by the ends of their traces: the index by block is coarse. */
export const blockActionsQuery = (mcSeqno: number, firstLt: bigint, lastLt: bigint) =>
  queryBuilder
    .selectFrom('actions')
    .select(actionColumns)
    .where('mc_seqno', '=', mcSeqno)
    .where('trace_end_lt', '>=', firstLt)
    .where('trace_end_lt', '<=', lastLt)
    .orderBy('start_lt', 'asc')
    .orderBy('end_lt', 'asc')
    .orderBy('action_id', 'asc')

/** All actions of these traces of a block, of every type, in order. */
export const findBlockActions = async (
  reader: Reader,
  mcSeqno: number,
  traces: readonly TraceRecord[],
): Promise<ActionRecord[]> => {
  if (traces.length === 0) return []
  let [first, last] = [traces[0]!.endLt, traces[0]!.endLt]
  for (const { endLt } of traces) {
    if (endLt < first) first = endLt
    if (endLt > last) last = endLt
  }
  return (await reader.read(blockActionsQuery(mcSeqno, first, last).compile())).map(toActionRecord)
}

/** The first transactions of a trace; a message is sent before it is received, so they are a tree. */
export const traceBeginningQuery = ({ traceId, startSeqno, endSeqno }: TraceRecord, limit: number) =>
  rawQuery<TransactionRow>(
    `select * from transactions where ${isId('trace_id', '$1::bytea')} and mc_seqno >= $2 and mc_seqno <= $3
    order by lt asc, account asc limit $4`,
    [traceId, startSeqno, endSeqno, limit],
  )

/** A jetton wallet, and the logical time since when it is known. */
export type WalletFacts = {
  readonly address: Uint8Array
  readonly owner: Uint8Array
  readonly jetton: Uint8Array
  readonly sinceLt: bigint
}

export const walletFactsQuery = (addresses: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('jetton_wallets')
    .select(['address', 'owner', 'jetton', 'since_lt'])
    .where(isAnyOf('address', addresses))

/** The jetton wallets among accounts. */
export const findWalletFacts = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<WalletFacts[]> => {
  if (addresses.length === 0) return []
  const rows = await reader.read(walletFactsQuery(addresses).compile())
  return rows.map(({ address, owner, jetton, since_lt: sinceLt }) => ({ address, owner, jetton, sinceLt }))
}

export const jettonBalancesQuery = (mcSeqno: number) =>
  queryBuilder.selectFrom('jetton_balances').select(['address', 'lt', 'balance']).where('mc_seqno', '=', mcSeqno)

/** A jetton wallet after its last transaction in a masterchain block. */
export type JettonBalance = { readonly address: Uint8Array; readonly lt: bigint; readonly balance: bigint }

/** The balances of jetton wallets that had transactions in a masterchain block, as far as they are known. */
export const findJettonBalances = (reader: Reader, mcSeqno: number): Promise<JettonBalance[]> =>
  reader.read(jettonBalancesQuery(mcSeqno).compile())
