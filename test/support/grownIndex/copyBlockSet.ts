import assert from 'node:assert/strict'
import type { DecodedBlockSet, EncodedRows, TouchedAccount } from '../../../src/indexer/blockSets.ts'
import { digestRows } from '../../../src/indexer/decode/decodeBlockSet.ts'
import { type BlockIdExt, masterchain } from '../../../src/primitives/BlockId.ts'
import { compareBytes } from '../../../src/primitives/bytes.ts'
import { findShardParent, fromSignedShard, toSignedShard } from '../../../src/primitives/shard.ts'
import { decodeHeaderBits, encodeHeaderBits } from '../../../src/store/schema/codes.ts'
import type { CopyRow } from '../../../src/store/schema/columns.ts'
import { tables } from '../../../src/store/schema/tables.ts'
import { RowEncoder } from '../../../src/store/writer/copyRows.ts'
import type { ChainCopy } from './ChainCopy.ts'
import type { MessageRow, TemplateBlockSet, TemplateTransaction, TransactionRow } from './ChainTemplate.ts'

type BlockRow = CopyRow<typeof tables.blocks>

const HASH_BYTES = 32
const ADDRESS_BYTES = 33
const KIND_MASK = 7

const transactionEncoder = new RowEncoder(tables.transactions)
const messageEncoder = new RowEncoder(tables.unreceived_messages)

/** A block set of a copy as decoding would have made it. */
export const copyBlockSet = (blockSet: TemplateBlockSet, copy: ChainCopy): DecodedBlockSet => {
  const { decoded } = blockSet
  const { shifts } = copy
  const sorted = blockSet.transactions.map((one) => copyTransaction(one, copy)).sort(compareTransactions)
  const transactions = encodeTransactions(sorted)
  const messages = encodeMessages(sorted.flatMap(({ sent }) => sent))
  const { blocks, previousBlocks } = copyBlocks(decoded, copy)
  const shardTops = decoded.shardTops.flatMap((row) =>
    row.seqno > 0 || copy.before.length === 0
      ? [copy.mapRow<typeof tables.shard_tops>(row)]
      : listTopsBefore(copy, row.workchain, fromSignedShard(row.shard)).map(({ shard, seqno }) => ({
          shard: toSignedShard(shard),
          mc_seqno: row.mc_seqno + shifts.mcSeqno,
          workchain: row.workchain,
          seqno,
        })),
  )
  return {
    seqno: decoded.seqno + shifts.mcSeqno,
    genUtime: decoded.genUtime + shifts.time,
    rootHash: copy.mapHash(decoded.rootHash),
    isKeyBlock: decoded.isKeyBlock,
    blocks,
    previousBlocks,
    shardTops,
    transactions,
    messages,
    contents: copyContents(decoded.contents, copy),
    accounts: decoded.accounts.map((account) => copyAccount(account, copy)),
    tokenRequests: [],
    digest: digestRows({ blocks, shardTops, transactions, messages }),
  }
}

const copyTransaction = ({ row, sent }: TemplateTransaction, copy: ChainCopy): TemplateTransaction => ({
  row: joinHistory(row, copy.mapRow<typeof tables.transactions>(row), copy),
  sent: sent.map((message) => copy.mapRow<typeof tables.unreceived_messages>(message)),
})

/** The first transaction of an account that has lived before follows the last one of then. */
const joinHistory = (original: TransactionRow, copied: TransactionRow, copy: ChainCopy): TransactionRow => {
  const previous = copy.findPrevious(original)
  if (previous === undefined) return copied
  const { lt, hash, state_after, end_status } = previous.copy.mapRow<typeof tables.transactions>(previous.last)
  return { ...copied, prev_lt: lt, prev_hash: hash, state_before: state_after, orig_status: end_status }
}

const workchainOf = ({ row }: TemplateTransaction): number => (row.account[0]! << 24) >> 24

// Other addresses may be in another order.
const compareTransactions = (a: TemplateTransaction, b: TemplateTransaction): number =>
  Number(a.row.lt - b.row.lt) || workchainOf(a) - workchainOf(b) || compareBytes(a.row.account, b.row.account)

const encodeTransactions = (sorted: readonly TemplateTransaction[]): DecodedBlockSet['transactions'] => {
  const rows = sorted.map(({ row }) => row)
  const outStarts = new Uint32Array(rows.length + 1)
  for (const [k, { sent }] of sorted.entries()) outStarts[k + 1] = outStarts[k]! + sent.length
  return {
    count: rows.length,
    lts: BigInt64Array.from(rows, ({ lt }) => lt),
    nows: Int32Array.from(rows, ({ now }) => now),
    hashes: join(rows, HASH_BYTES, ({ hash }) => hash),
    accounts: join(rows, ADDRESS_BYTES, ({ account }) => account),
    inKinds: Uint8Array.from(rows, ({ in_bits }) => in_bits & KIND_MASK),
    inHashes: join(rows, HASH_BYTES, ({ in_hash }) => in_hash),
    inNormalHashes: join(rows, HASH_BYTES, ({ in_hash_norm }) => in_hash_norm),
    outStarts,
    rows: encode(transactionEncoder, rows),
  }
}

const encodeMessages = (rows: readonly MessageRow[]): DecodedBlockSet['messages'] => ({
  count: rows.length,
  kinds: Uint8Array.from(rows, ({ bits }) => bits & KIND_MASK),
  hashes: join(rows, HASH_BYTES, ({ hash }) => hash),
  lts: BigInt64Array.from(rows, ({ created_lt }) => created_lt),
  rows: encode(messageEncoder, rows),
})

type Encoder<Row> = { readonly size: number; add(row: Row): void; take(): Uint8Array<ArrayBuffer> }

const encode = <Row>(encoder: Encoder<Row>, rows: readonly Row[]): EncodedRows => {
  const ends = new Uint32Array(rows.length)
  for (const [k, row] of rows.entries()) {
    encoder.add(row)
    ends[k] = encoder.size
  }
  return { bytes: encoder.take(), ends }
}

/** One after another; zeros for what is absent. */
const join = <Row>(
  rows: readonly Row[],
  size: number,
  read: (row: Row) => Uint8Array | null | undefined,
): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(rows.length * size)
  for (const [k, row] of rows.entries()) {
    const value = read(row)
    if (value !== null && value !== undefined) bytes.set(value, k * size)
  }
  return bytes
}

// The number of columns, then the first of them with its length: the hash.
const HASH_AT = 6

const copyContents = (
  { count, hashes, rows }: DecodedBlockSet['contents'],
  copy: ChainCopy,
): DecodedBlockSet['contents'] => {
  const copied = { count, hashes: hashes.slice(), rows: { bytes: rows.bytes.slice(), ends: rows.ends } }
  for (let k = 0; k < count; k++) {
    const hash = copy.mapHash(hashes.subarray(k * HASH_BYTES, (k + 1) * HASH_BYTES))
    copied.hashes.set(hash, k * HASH_BYTES)
    copied.rows.bytes.set(hash, (k === 0 ? 0 : rows.ends[k - 1]!) + HASH_AT)
  }
  return copied
}

const copyAccount = (account: TouchedAccount, copy: ChainCopy): TouchedAccount => ({
  ...account,
  account: copy.mapAddress(account.account),
  blockSeqno: copy.mapBlockSeqno(account.workchain, account.blockSeqno),
  lastLt: account.lastLt + copy.shifts.lt,
  lastHash: copy.mapHash(account.lastHash),
  now: account.now + copy.shifts.time,
  stateHash: copy.mapStateHash(account.stateHash),
})

const copyBlocks = (
  { blocks, previousBlocks }: DecodedBlockSet,
  copy: ChainCopy,
): Pick<DecodedBlockSet, 'blocks' | 'previousBlocks'> => {
  const copied = blocks.map((row, k) => copyBlock(row, previousBlocks[k]!, copy))
  return { blocks: copied.map(({ block }) => block), previousBlocks: copied.map(({ previous }) => previous) }
}

type CopiedBlock = { readonly block: BlockRow; readonly previous: readonly BlockIdExt[] }

/** Where a block follows a zero state, its copy follows the newest blocks of the copy before: it may merge two of them. */
const copyBlock = (row: BlockRow, previous: readonly BlockIdExt[], copy: ChainCopy): CopiedBlock => {
  const block = copy.mapRow<typeof tables.blocks>(row)
  const isFirst = previous.some(({ seqno }) => seqno === 0)
  if (!isFirst || copy.before.length === 0) {
    const ids = previous.map((id) => copyId(id, copy))
    return { block: { ...block, prev_seqnos: ids.map(({ seqno }) => seqno) }, previous: ids }
  }
  const shard = fromSignedShard(row.shard)
  const ids = listTopsBefore(copy, row.workchain, shard)
  const afterSplit = ids[0]!.shard === findShardParent(shard)
  const header_bits = encodeHeaderBits({
    ...decodeHeaderBits(row.header_bits),
    afterMerge: ids.length === 2,
    afterSplit,
  })
  return { block: { ...block, header_bits, prev_seqnos: ids.map(({ seqno }) => seqno) }, previous: ids }
}

const copyId = (id: BlockIdExt, copy: ChainCopy): BlockIdExt => ({
  ...id,
  // A zero state stays one.
  seqno: id.seqno === 0 ? 0 : copy.mapBlockSeqno(id.workchain, id.seqno),
  rootHash: copy.mapHash(id.rootHash),
  fileHash: copy.mapHash(id.fileHash),
})

/** The newest blocks before a copy that a block of a shard can follow. */
const listTopsBefore = (copy: ChainCopy, workchain: number, shard: bigint): BlockIdExt[] => {
  const [last] = copy.before
  const tops = last!.chain.tops.filter((top) => top.workchain === workchain).map((top) => copyId(top, last!))
  if (workchain === masterchain) return tops
  const same = tops.filter((top) => top.shard === shard)
  if (same.length === 1) return same
  const parts = tops.filter((top) => findShardParent(top.shard) === shard).sort((a, b) => (a.shard < b.shard ? -1 : 1))
  if (parts.length === 2) return parts
  const whole = tops.filter((top) => top.shard === findShardParent(shard))
  assert.equal(whole.length, 1, 'a chain begins with shards that can follow those at the end of the one before')
  return whole
}
