import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import type { LiteServerGetTransactions, LiteServerTransactionList } from '../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual, getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { decodeRoots, hashRoots, proving } from './unwrapProof.ts'

/** Account and lt of a transaction, and the previous one (lt 0: none). */
export type TransactionLink = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
}

/** transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 … */
const readTransactionLink = (transaction: Cell): TransactionLink => {
  const r = openCell(transaction)
  r.expectTag(0b0111, 4)
  return { account: r.readBytes(32), lt: r.readUint64(), prevHash: r.readBytes(32), prevLt: r.readUint64() }
}

const MAX_TRANSACTIONS = 16

export type ChainedTransaction = {
  readonly transaction: Cell
  readonly lt: bigint
  readonly hash: Uint8Array
  /** The block as stated by the server. A list has no proof of it. */
  readonly unprovenBlock: BlockIdExt
}

export type ProvenTransactionList = {
  /** Newest first, without gaps. */
  readonly transactions: readonly ChainedTransaction[]
  /** The transaction before the last one here; absent if that was the account's first. */
  readonly next: TransactionKey | undefined
}

export type TransactionKey = { readonly lt: bigint; readonly hash: Uint8Array }

/** The answer to getTransactions from a proven transaction on: each names the one before it by its hash. */
export const verifyTransactionList = (
  request: LiteServerGetTransactions,
  { ids, transactions }: LiteServerTransactionList,
  skipProofChecks = false,
): ProvenTransactionList => {
  const { account, count, lt, hash } = request
  if (ids.length === 0 || ids.length > Math.min(count, MAX_TRANSACTIONS)) {
    throw new ProofFailedError(
      `Up to ${Math.min(count, MAX_TRANSACTIONS)} transactions were requested, but got ${ids.length}.`,
    )
  }
  const roots = decodeRoots('a list of transactions', transactions, ids.length, skipProofChecks, false)
  hashRoots('a list of transactions', roots)
  let next: TransactionKey | undefined = { lt: BigInt.asUintN(64, lt), hash }
  const chained: ChainedTransaction[] = []
  for (const [k, transaction] of roots.entries()) {
    if (next === undefined)
      throw new ProofFailedError(`Transaction ${k} of a list comes after the account's first one.`)
    const unprovenBlock = ids[k]!
    expectShardOf(unprovenBlock, account.workchain, account.id)
    chained.push({ transaction, ...next, unprovenBlock })
    next = expectTransaction(transaction, next, account.id)
  }
  return { transactions: chained, next }
}

/** Checks one transaction of a chain and says which one comes before it. */
const expectTransaction = (
  transaction: Cell,
  { lt, hash }: TransactionKey,
  account: Uint8Array,
): TransactionKey | undefined => {
  if (!transaction.hasHash(hash))
    throw new ProofFailedError(`The transaction with lt ${lt} in the answer has another hash.`)
  const link = proving('a list of transactions', () => readTransactionLink(transaction))
  if (link.lt !== lt || link.prevLt >= lt) {
    throw new ProofFailedError(`The transaction of lt ${lt} says lt ${link.lt}, and ${link.prevLt} for the one before.`)
  }
  if (!bytesEqual(link.account, account)) {
    throw new ProofFailedError(`The transaction of lt ${lt} is one of another account.`)
  }
  return link.prevLt === 0n ? undefined : { lt: link.prevLt, hash: link.prevHash.slice() }
}

const expectShardOf = (block: BlockIdExt, workchain: number, account: Uint8Array): void => {
  if (!isValidBlockIdExt(block) || block.workchain !== workchain || !shardContains(block.shard, getU64BE(account, 0))) {
    throw new ProofFailedError(`A transaction is said to be in block ${formatBlockId(block)}, which cannot hold it.`)
  }
}
