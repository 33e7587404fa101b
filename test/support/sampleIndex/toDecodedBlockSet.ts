import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { packCell } from '../../../src/codec/stored/packCell.ts'
import {
  type DecodedBlockSet,
  type EncodedRows,
  MESSAGE_KIND,
  type TouchedAccount,
} from '../../../src/indexer/blockSets.ts'
import { digestRows } from '../../../src/indexer/decode/decodeBlockSet.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { toSignedShard } from '../../../src/primitives/shard.ts'
import type { CopyRow, Table } from '../../../src/store/schema/columns.ts'
import { tables } from '../../../src/store/schema/tables.ts'
import { RowEncoder } from '../../../src/store/writer/copyRows.ts'
import { isLastInBlock, type SampleBlockSet, type SampleMessage, type SampleTransaction } from './SampleWorld.ts'

const NO_TRACE = new Uint8Array(32)

/** What decoding would make of a block set, every time anew: linking writes into it. */
export const toDecodedBlockSet = (blockSet: SampleBlockSet): DecodedBlockSet => {
  const { seqno, genUtime, transactions } = blockSet
  const sent = transactions.flatMap((transaction) => transaction.sent)
  const bodies = [...transactions.map(({ received }) => bodyOf(received)), ...sent.map(({ body }) => body)]
  const blocks = blockSet.blocks.map((block) => toBlockRow(block, blockSet))
  const shardTops = blockSet.tops.map(({ workchain, shard, seqno: top }) => ({
    shard: toSignedShard(shard),
    mc_seqno: seqno,
    workchain,
    seqno: top,
  }))
  const rows = {
    transactions: {
      count: transactions.length,
      lts: BigInt64Array.from(transactions, ({ lt }) => lt),
      nows: Int32Array.from(transactions, ({ now }) => now),
      hashes: join(transactions.map(({ hash }) => hash)),
      accounts: join(transactions.map(({ account }) => account)),
      inKinds: Uint8Array.from(transactions, ({ received }) => MESSAGE_KIND[received?.kind ?? 'none']),
      inHashes: join(transactions.map(({ received }) => received?.hash ?? NO_TRACE)),
      inNormalHashes: new Uint8Array(32 * transactions.length),
      outStarts: outStartsOf(transactions),
      rows: encode(
        tables.transactions,
        transactions.map((transaction) => toTransactionRow(blockSet, transaction)),
      ),
    },
    messages: {
      count: sent.length,
      kinds: Uint8Array.from(sent, ({ kind }) => MESSAGE_KIND[kind]),
      hashes: join(sent.map(({ hash }) => hash)),
      lts: BigInt64Array.from(sent, ({ lt }) => lt),
      rows: encode(
        tables.unreceived_messages,
        sent.map((message) => toMessageRow(seqno, message)),
      ),
    },
  }
  return {
    seqno,
    genUtime,
    rootHash: blockSet.blocks[0]!.id.rootHash,
    isKeyBlock: false,
    blocks,
    previousBlocks: blockSet.blocks.map(({ previous }) => previous),
    shardTops,
    ...rows,
    contents: toContents(bodies),
    accounts: touchedAccounts(blockSet),
    tokenRequests: [],
    digest: digestRows({ blocks, shardTops, ...rows }),
  }
}

const bodyOf = (message: SampleTransaction['received']): Cell | undefined =>
  message !== undefined && 'body' in message ? message.body : undefined

const join = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(concatBytes(parts))

const outStartsOf = (transactions: readonly SampleTransaction[]): Uint32Array<ArrayBuffer> => {
  const starts = [0]
  for (const { sent } of transactions) starts.push(starts.at(-1)! + sent.length)
  return Uint32Array.from(starts)
}

const encode = <T extends Table>(
  table: T,
  rows: readonly CopyRow<T>[],
  columns?: (keyof T & string)[],
): EncodedRows => {
  const encoder = new RowEncoder(table, columns)
  const ends = rows.map((row) => {
    encoder.add(row)
    return encoder.size
  })
  return { bytes: encoder.take(), ends: Uint32Array.from(ends) }
}

const toContents = (bodies: readonly (Cell | undefined)[]): DecodedBlockSet['contents'] => {
  const unique = new Map(bodies.flatMap((body) => (body ? [[toHex(body.hash()), body] as const] : [])))
  const rows = [...unique.values()].map((body) => ({ hash: body.hash(), content: packCell(body), mc_seqno: 0 }))
  const hashes = rows.map(({ hash }) => hash)
  return {
    count: hashes.length,
    hashes: join(hashes),
    rows: encode(tables.message_contents, rows, ['hash', 'content']),
  }
}

const toBlockRow = (
  { id, previous }: SampleBlockSet['blocks'][number],
  blockSet: SampleBlockSet,
): DecodedBlockSet['blocks'][number] => {
  const own = blockSet.transactions.filter(({ block }) => block === id)
  const startLt = own[0]?.lt ?? BigInt(blockSet.seqno) * 1000n
  return {
    shard: toSignedShard(id.shard),
    start_lt: startLt,
    end_lt: own.reduce((_, { lt, sent }) => lt + BigInt(sent.length) + 1n, startLt),
    workchain: id.workchain,
    seqno: id.seqno,
    mc_seqno: blockSet.seqno,
    gen_utime: blockSet.genUtime,
    tx_count: own.length,
    global_id: -3,
    version: 0,
    header_bits: 0,
    flags: 0,
    validator_list_hash_short: 1,
    gen_catchain_seqno: 2,
    min_ref_mc_seqno: 3,
    prev_key_block_seqno: 0,
    vert_seqno: 0,
    master_ref_seqno: blockSet.seqno - 1,
    prev_seqnos: previous.map(({ seqno }) => seqno),
    root_hash: id.rootHash,
    file_hash: id.fileHash,
    rand_seed: sha256(id.rootHash),
    created_by: sha256(id.fileHash),
  }
}

const toTransactionRow = (blockSet: SampleBlockSet, tx: SampleTransaction): CopyRow<typeof tables.transactions> => {
  const isLast = isLastInBlock(blockSet, tx)
  const message = tx.received !== undefined && 'lt' in tx.received ? tx.received : undefined
  return {
    lt: tx.lt,
    prev_lt: tx.prevLt,
    block_shard: toSignedShard(tx.block.shard),
    total_fees: 1000n,
    balance: isLast ? tx.balance : null,
    in_value: message?.value,
    in_fwd_fee: message && 400n,
    in_created_lt: message?.lt,
    now: tx.now,
    mc_seqno: blockSet.seqno,
    block_seqno: tx.block.seqno,
    in_created_at: message?.createdAt,
    in_opcode: message && Number(BigInt.asIntN(32, message.value)),
    orig_status: 2,
    end_status: 2,
    in_bits: MESSAGE_KIND[tx.received?.kind ?? 'none'],
    out_count: tx.sent.length,
    account: tx.account,
    hash: tx.hash,
    prev_hash: tx.prevHash,
    state_before: sha256(tx.prevHash),
    state_after: sha256(tx.hash),
    data_hash: isLast ? tx.dataHash : null,
    code_hash: isLast ? sha256(tx.account) : null,
    in_hash: tx.received?.hash,
    in_source: message?.source,
    in_body_hash: message?.body?.hash(),
    description: tx.hash.subarray(0, 20),
    trace_id: NO_TRACE,
  }
}

const toMessageRow = (seqno: number, message: SampleMessage): CopyRow<typeof tables.unreceived_messages> => {
  const isInternal = message.kind === 'internal'
  return {
    created_lt: message.lt,
    value: isInternal ? message.value : null,
    fwd_fee: isInternal ? 400n : null,
    created_at: message.createdAt,
    mc_seqno: seqno,
    opcode: Number(BigInt.asIntN(32, message.value)),
    bits: MESSAGE_KIND[message.kind],
    account: message.source,
    destination: isInternal ? message.destination : null,
    hash: message.hash,
    body_hash: message.body?.hash(),
    trace_id: NO_TRACE,
  }
}

const touchedAccounts = ({ transactions }: SampleBlockSet): TouchedAccount[] => {
  const last = new Map(transactions.map((tx) => [tx.account, tx]))
  return [...last.values()].map((tx) => ({
    account: tx.account,
    workchain: 0,
    blockShard: tx.block.shard,
    blockSeqno: tx.block.seqno,
    lastLt: tx.lt,
    lastHash: tx.hash,
    now: tx.now,
    stateHash: sha256(tx.hash),
    status: 'active',
    balance: tx.balance,
    extraCurrencies: undefined,
    frozenHash: undefined,
    codeHash: sha256(tx.account),
    dataHash: tx.dataHash,
  }))
}
