import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { LiteServerAccountId, LiteServerTransactionInfo } from '../../codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual, getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { expectBlock } from './blockIds.ts'
import { proving } from './proving.ts'
import { unwrapProof } from './unwrapProof.ts'

export type ProvenTransaction = {
  readonly block: BlockIdExt
  /** The Transaction; absent where it is proven that the block has none of this account at this time. */
  readonly transaction: Cell | undefined
}

type TransactionQuestion = { readonly account: LiteServerAccountId; readonly lt: bigint }

/** The answer to getOneTransaction in a trusted block. */
export const verifyTransaction = (
  trusted: BlockIdExt,
  { account, lt }: TransactionQuestion,
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
