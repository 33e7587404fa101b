import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type {
  LiteServerAccountId,
  LiteServerGetTransactions,
  LiteServerTransactionInfo,
  LiteServerTransactionList,
} from '../../codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual, getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { decodeRoots, expectBlock, proving, unwrapProof } from './unwrapProof.ts'

/** Whose transaction it is, when it was, and which one came before it (lt 0: none). */
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

export type ProvenTransaction = {
  readonly block: BlockIdExt
  /** The Transaction; absent where it is proven that the block has none of this account at this time. */
  readonly transaction: Cell | undefined
}

type TransactionRequest = { readonly account: LiteServerAccountId; readonly lt: bigint }

/** The answer to getOneTransaction in a trusted block. */
export const verifyTransaction = (
  trusted: BlockIdExt,
  { account, lt }: TransactionRequest,
  answer: LiteServerTransactionInfo,
  skipProofChecks = false,
): ProvenTransaction => {
  expectBlock('The block of a transaction', trusted, answer.id)
  if (account.workchain !== trusted.workchain || !shardContains(trusted.shard, getU64BE(account.id, 0))) {
    throw new ProofFailedError(`The shard of block ${formatBlockId(trusted)} cannot hold the account asked for.`)
  }
  const root = unwrapProof('a transaction', answer.proof, trusted.rootHash, skipProofChecks)
  const unsignedLt = BigInt.asUintN(64, lt)
  if (answer.transaction.length === 0) {
    expectAbsent(root, account.id, unsignedLt)
    return { block: trusted, transaction: undefined }
  }
  const proven = findTransaction(root, account.id, unsignedLt)
  const transaction = proving('a transaction', () => decodeSingleBoc(answer.transaction))
  if (proven?.hasHash(transaction.hash(), 0) !== true) {
    throw new ProofFailedError('The transaction that came is not the one in the block.')
  }
  return { block: trusted, transaction }
}

/** The cell of a transaction inside a block or a proof of it, where it may be pruned. */
const findTransaction = (root: Cell, account: Uint8Array, lt: bigint): Cell | undefined =>
  proving('a transaction', () => {
    const accountBlock = openAccountBlocks(openBlockExtra(openBlock(root).extra)).find(account)
    if (accountBlock === undefined) return undefined
    if (!bytesEqual(accountBlock.accountAddr, account)) {
      throw new ProofFailedError('The transactions of an account stand under another account.')
    }
    return accountBlock.transactions.find(lt)
  })

/** A time outside of the block's own is enough; the proof then holds its header and no transactions at all. */
const expectAbsent = (root: Cell, account: Uint8Array, lt: bigint): void => {
  const { startLt, endLt } = proving('an absent transaction', () => openBlockInfo(openBlock(root).info))
  if (lt <= startLt || lt >= endLt) return
  if (findTransaction(root, account, lt) !== undefined) {
    throw new ProofFailedError('The transaction is proven to be in the block, but it did not come.')
  }
}

const MAX_TRANSACTIONS = 16

export type ChainedTransaction = {
  readonly transaction: Cell
  readonly lt: bigint
  readonly hash: Uint8Array
  /** The block that the server says it is in. No proof of that comes with a list. */
  readonly unprovenBlock: BlockIdExt
}

export type ProvenTransactionList = {
  /** Newest first, without gaps. */
  readonly transactions: readonly ChainedTransaction[]
  /** The transaction before the last one here; absent where that was the account's first. */
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
      `Up to ${Math.min(count, MAX_TRANSACTIONS)} transactions were asked, ${ids.length} came.`,
    )
  }
  const roots = decodeRoots('a list of transactions', transactions, ids.length, skipProofChecks)
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
  if (!transaction.hasHash(hash)) throw new ProofFailedError(`The transaction that came for lt ${lt} has another hash.`)
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
