import { type Static, Type } from 'typebox'
import { toBase64 } from '../../../primitives/base64.ts'
import type { AccountReading } from '../readAccount.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { BytesView, typeName } from './scalars.ts'

export const AccountProofView = Type.Object(
  {
    '@type': typeName('ext.accounts.proof'),
    shard_block_id: BlockIdView,
    shard_proof: Type.String({
      description:
        'From the masterchain block to the shard block: Merkle proofs of both its header and its state. Empty for accounts of the masterchain.',
    }),
    account_proof: Type.String({
      description: 'From the shard block to the account: Merkle proofs of both its header and its state.',
    }),
    state: BytesView,
  },
  { $id: 'AccountProof', description: 'By what the answer can be checked, starting from the hashes in block_id.' },
)

/** Members that an answer about an account has besides where its proof is wanted. */
export const proofMembers = { proof: Type.Optional(AccountProofView) }

export const toProofMembers = (
  { shardBlock, block, proofs }: AccountReading,
  isWanted: boolean | undefined,
): { proof?: Static<typeof AccountProofView> } =>
  isWanted === true
    ? {
        proof: {
          '@type': 'ext.accounts.proof',
          shard_block_id: toBlockIdView(shardBlock ?? block),
          shard_proof: toBase64(proofs.shard),
          account_proof: toBase64(proofs.account),
          state: toBase64(proofs.state),
        },
      }
    : {}
