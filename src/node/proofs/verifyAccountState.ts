import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { LiteServerAccountId, LiteServerAccountState } from '../../codec/tl/liteServerTypes.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { type AccountPlace, type LocatedAccount, locateAccount } from './locateAccount.ts'
import { proving } from './proving.ts'
import type { openShardProof } from './ShardProofs.ts'
import { expectNothing, unwrapProof } from './unwrapProof.ts'

export type ProvenAccountState = AccountPlace &
  (
    | {
        readonly kind: 'found'
        /** The Account; read it with `openAccount`. After a pruned question its code, data and libraries are not there. */
        readonly account: Cell
        readonly lastTransLt: bigint
        readonly lastTransHash: Uint8Array
      }
    | { readonly kind: 'absent' }
  )

type AccountQuestion = { readonly account: LiteServerAccountId }

/** The answer to getAccountState about a trusted block. */
export const verifyAccountState = (
  trusted: BlockIdExt,
  question: AccountQuestion,
  answer: LiteServerAccountState,
  skipProofChecks = false,
  openShards?: typeof openShardProof,
): ProvenAccountState =>
  settle(locateAccount(trusted, question.account, answer, skipProofChecks, openShards), answer, ({ account }) => {
    const root = proving('an account state', () => decodeSingleBoc(answer.state))
    // The cell in the proof may be pruned or, where it has no references, whole: level 0 is the same for both.
    if (!account.hasHash(root.hash(), 0)) {
      throw new ProofFailedError('The account state that came is another than the proven one.')
    }
    return root
  })

/** The answer to getAccountStatePrunned about a trusted block. */
export const verifyPrunedAccountState = (
  trusted: BlockIdExt,
  question: AccountQuestion,
  answer: LiteServerAccountState,
  skipProofChecks = false,
): ProvenAccountState =>
  settle(locateAccount(trusted, question.account, answer, skipProofChecks), answer, ({ account }) =>
    unwrapProof('a pruned account state', answer.state, account.hash(0), skipProofChecks),
  )

const settle = (
  { block, shardBlock, genUtime, genLt, entry }: LocatedAccount,
  { state }: LiteServerAccountState,
  openState: (entry: ShardAccount) => Cell,
): ProvenAccountState => {
  if (entry === undefined) {
    expectNothing('The state of an account that is proven absent', state)
    return { block, shardBlock, genUtime, genLt, kind: 'absent' }
  }
  if (state.length === 0) throw new ProofFailedError('The account is proven to be there, but its state did not come.')
  const { lastTransLt } = entry
  const lastTransHash = entry.lastTransHash.slice()
  const account = openState(entry)
  return { block, shardBlock, genUtime, genLt, kind: 'found', account, lastTransLt, lastTransHash }
}
