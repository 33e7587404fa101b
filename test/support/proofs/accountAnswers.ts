import { ProofFailedError } from '../../../src/chain/errors.ts'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../../src/codec/cell/decodeBoc.ts'
import type { LiteServerAccountId, LiteServerAccountState } from '../../../src/codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../../src/codec/tlb/Block.ts'
import { openBlockInfo } from '../../../src/codec/tlb/BlockInfo.ts'
import {
  type AccountBlocks,
  type AccountRequest,
  locateAccount,
  type ProvenAccountState,
  settle,
} from '../../../src/node/proofs/accountProofs.ts'
import { expectBlock, expectNothing, proving, unwrapProof } from '../../../src/node/proofs/unwrapProof.ts'
import { type BlockIdExt, formatBlockId } from '../../../src/primitives/BlockId.ts'
import { bytesEqual, getU64BE } from '../../../src/primitives/bytes.ts'
import { shardContains } from '../../../src/primitives/shard.ts'
import type { LiteServerRunMethodResult, LiteServerTransactionInfo } from '../liteServerAnswers.ts'

/** The answer to getAccountStatePrunned about a trusted block. */
export const verifyPrunedAccountState = (
  trusted: BlockIdExt,
  request: AccountRequest,
  answer: LiteServerAccountState,
  skipProofChecks = false,
): ProvenAccountState =>
  settle(locateAccount(trusted, request.account, answer, skipProofChecks), answer, ({ account }) =>
    unwrapProof('a pruned account state', answer.state, account.hash(0), skipProofChecks),
  )

/** The proofs in an answer to runSmcMethod, which must have been asked for (mode bits 0 and 1). */
export const verifyMethodRun = (
  trusted: BlockIdExt,
  request: { readonly account: LiteServerAccountId },
  answer: LiteServerRunMethodResult,
  skipProofChecks = false,
): ProvenMethodRun => {
  const { shardProof, proof, stateProof, exitCode, result, initC7 } = answer
  if (shardProof === undefined || proof === undefined || stateProof === undefined) {
    throw new ProofFailedError(
      'The proofs of a method run are missing from the answer: mode bits 0 and 1 ask for them.',
    )
  }
  const { id, shardblk } = answer
  const { entry, ...blocks } = locateAccount(
    trusted,
    request.account,
    { id, shardblk, shardProof, proof },
    skipProofChecks,
  )
  const unproven = { exitCode, result, initC7 }
  if (entry === undefined) {
    expectNothing('The state of an account that is proven absent', stateProof)
    if (exitCode !== NO_CODE) {
      throw new ProofFailedError(`The account is proven absent, but its method ran and ended with ${exitCode}.`)
    }
    return { ...blocks, account: undefined, unproven }
  }
  const account = unwrapProof('an account state', stateProof, entry.account.hash(0), skipProofChecks)
  return { ...blocks, account, unproven }
}

export type ProvenMethodRun = AccountBlocks & {
  /** What the method touched of the Account, all else pruned; absent where there is no account. */
  readonly account: Cell | undefined
  /**
   * What the server says came of it. The proofs are of the account that the method ran on, and of nothing that it computed:
   * run the method on `account` for a proven result.
   */
  readonly unproven: {
    readonly exitCode: number
    readonly result: Uint8Array | undefined
    readonly initC7: Uint8Array | undefined
  }
}

/** Exit code of a method of an account that is not there, or has no code to run. */
const NO_CODE = -0x100

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
    throw new ProofFailedError('The transaction in the answer differs from the one in the block.')
  }
  return { block: trusted, transaction }
}

export type ProvenTransaction = {
  readonly block: BlockIdExt
  /** The Transaction; absent if the proof shows that the block has none of this account at this lt. */
  readonly transaction: Cell | undefined
}

type TransactionRequest = { readonly account: LiteServerAccountId; readonly lt: bigint }

/** A time outside of the block's own is enough; the proof then holds its header and no transactions at all. */
const expectAbsent = (root: Cell, account: Uint8Array, lt: bigint): void => {
  const { startLt, endLt } = proving('an absent transaction', () => openBlockInfo(openBlock(root).info))
  if (lt <= startLt || lt >= endLt) return
  if (findTransaction(root, account, lt) !== undefined) {
    throw new ProofFailedError('The transaction is proven to be in the block, but it is missing from the answer.')
  }
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
