import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { LiteServerAccountId, LiteServerAccountState } from '../../codec/tl/liteServerTypes.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import { unwrapStatePair } from './ProvenState.ts'
import { findAccountShard, ShardProofs } from './shardProofs.ts'
import type { TransactionKey } from './transactionProofs.ts'
import { expectBlock, expectNothing, isNoBlock, proving } from './unwrapProof.ts'

/** Which state an answer about an account speaks of. */
export type AccountBlocks = {
  /** The block that was asked about, of the masterchain or of the account's own shard. */
  readonly block: BlockIdExt
  /** The block whose state holds the account; absent where its workchain does not exist. */
  readonly shardBlock: BlockIdExt | undefined
  /** Time of that state (of `block`, where there is no shard). */
  readonly genUtime: number
  /** Logical time of that state: the end of its block. */
  readonly genLt: bigint
}

type LocatedAccount = AccountBlocks & {
  /** The entry in that state, its account usually pruned; absent where the whole path shows that there is none. */
  readonly entry: ShardAccount | undefined
}

/** Common fields of answers about accounts. */
export type AccountProofs = {
  readonly id: BlockIdExt
  readonly shardblk: BlockIdExt
  readonly shardProof: Uint8Array
  readonly proof: Uint8Array
}

/**
 * Follows the proofs from a trusted block to the entry of an account: protocol page, section 7.2. The first of them is the same for many
 * accounts, so it may have been checked already.
 */
export const locateAccount = (
  trusted: BlockIdExt,
  account: LiteServerAccountId,
  proofs: AccountProofs,
  skipProofChecks: boolean,
  known: ShardProofs = new ShardProofs(),
): LocatedAccount => {
  expectBlock('The reference block of an account state', trusted, proofs.id)
  const prefix = getU64BE(account.id, 0)
  if (account.workchain === trusted.workchain) {
    if (!shardContains(trusted.shard, prefix)) {
      throw new ProofFailedError(`The shard of block ${formatBlockId(trusted)} cannot hold the account asked for.`)
    }
    expectBlock('The shard block of an account state', trusted, proofs.shardblk)
    expectNothing('The shard proof of an account in the reference block', proofs.shardProof)
    return findInState(trusted, trusted, account, proofs.proof, skipProofChecks, known)
  }
  if (trusted.workchain !== masterchain) {
    throw new ProofFailedError(`Block ${formatBlockId(trusted)} says nothing of workchain ${account.workchain}.`)
  }
  const list = known.open(trusted, proofs.shardProof, skipProofChecks)
  const shard = findAccountShard(list, account.workchain, prefix)
  if (shard === undefined) {
    if (!isNoBlock(proofs.shardblk)) {
      throw new ProofFailedError(`Workchain ${account.workchain} does not exist, but the answer has a block of it.`)
    }
    expectNothing('The account proof for a workchain that does not exist', proofs.proof)
    const { genUtime, endLt } = list.header.info
    return { block: trusted, shardBlock: undefined, genUtime, genLt: endLt, entry: undefined }
  }
  expectBlock('The shard block of an account state', shard.id, proofs.shardblk)
  return findInState(trusted, shard.id, account, proofs.proof, skipProofChecks, known)
}

const findInState = (
  block: BlockIdExt,
  shardBlock: BlockIdExt,
  { id }: LiteServerAccountId,
  proof: Uint8Array,
  skipProofChecks: boolean,
  { headers }: ShardProofs,
): LocatedAccount => {
  const { header, state } = unwrapStatePair('an account', shardBlock, proof, skipProofChecks, headers)
  const entry = proving('an account', () => openShardAccounts(state.accounts).find(id))
  const { genUtime, endLt } = header.info
  return { block, shardBlock, genUtime, genLt: endLt, entry }
}

/** The last transaction of an account. */
export type LastTransaction = Pick<AccountBlocks, 'shardBlock'> & {
  /** Absent where there is no such account. */
  readonly lastTransaction: TransactionKey | undefined
}

export const lastTransactionOf = ({ shardBlock, entry }: LocatedAccount): LastTransaction => ({
  shardBlock,
  lastTransaction: entry && { lt: entry.lastTransLt, hash: entry.lastTransHash.slice() },
})

export type ProvenAccountState = AccountBlocks &
  (
    | {
        readonly kind: 'found'
        /** The Account; read it with `openAccount`. After a pruned request its code, data and libraries are not there. */
        readonly account: Cell
        readonly lastTransLt: bigint
        readonly lastTransHash: Uint8Array
      }
    | { readonly kind: 'absent' }
  )

export type AccountRequest = { readonly account: LiteServerAccountId }

/** The answer to getAccountState about a trusted block. */
export const verifyAccountState = (
  trusted: BlockIdExt,
  request: AccountRequest,
  answer: LiteServerAccountState,
  skipProofChecks = false,
  known?: ShardProofs,
): ProvenAccountState =>
  settle(locateAccount(trusted, request.account, answer, skipProofChecks, known), answer, ({ account }) => {
    const root = proving('an account state', () => decodeSingleBoc(answer.state, { isRepeated: true }))
    // The cell in the proof may be pruned or, where it has no references, whole: level 0 is the same for both.
    if (!account.hasHash(root.hash(), 0)) {
      throw new ProofFailedError('The account state in the answer differs from the proven one.')
    }
    return root
  })

export const settle = (
  { block, shardBlock, genUtime, genLt, entry }: LocatedAccount,
  { state }: LiteServerAccountState,
  openState: (entry: ShardAccount) => Cell,
): ProvenAccountState => {
  if (entry === undefined) {
    expectNothing('The state of an account that is proven absent', state)
    return { block, shardBlock, genUtime, genLt, kind: 'absent' }
  }
  if (state.length === 0)
    throw new ProofFailedError('The account is proven to be there, but its state is missing from the answer.')
  const { lastTransLt } = entry
  const lastTransHash = entry.lastTransHash.slice()
  const account = openState(entry)
  return { block, shardBlock, genUtime, genLt, kind: 'found', account, lastTransLt, lastTransHash }
}
