import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { findWalletFacts, findWalletKind } from '../../../contracts/wallets.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import type { AccountReading } from '../readAccount.ts'
import { BlockIdView, toBlockIdView } from './blocks.ts'
import {
  AmountView,
  BytesView,
  ExtraCurrencyView,
  HashView,
  TransactionIdView,
  toCellBytes,
  toExtraCurrencyViews,
  toMaybeCellBytes,
  toTransactionIdView,
  typeName,
} from './scalars.ts'

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

export const AccountStateNameView = Type.Union(
  [Type.Literal('active'), Type.Literal('uninitialized'), Type.Literal('frozen')],
  { $id: 'AccountStateName', description: 'An account that was never seen is uninitialized.' },
)

export const toAccountStateName = ({ state }: AccountReading): Static<typeof AccountStateNameView> =>
  state.kind === 'uninit' ? 'uninitialized' : state.kind

/** A few dozen codes are those of nearly all accounts, so each is written once. Known by their hashes they are never wrong. */
const written = new LruCache<string>(8 * 1024 * 1024)

/** The code of an account as a bag of cells in base64; nothing at all where it has none. */
export const toCodeBytes = (code: Cell | undefined): string => {
  if (code === undefined) return ''
  const key = toBase64(code.hash())
  const known = written.find(key)
  if (known !== undefined) return known
  const bytes = toCellBytes(code)
  written.set(key, bytes, bytes.length + 200)
  return bytes
}

/** A hash, or nothing. */
export const MaybeHashView = Type.Union([HashView, Type.Literal('')])

/** What every answer about a whole account has. */
export const accountMembers = {
  balance: AmountView,
  extra_currencies: Type.Array(ExtraCurrencyView),
  last_transaction_id: TransactionIdView,
  block_id: BlockIdView,
  sync_utime: Type.Integer({ description: 'When the state was made, in seconds.', examples: [1_715_837_340] }),
}

export const toAccountMembers = ({ balance, found, block, genUtime }: AccountReading) => ({
  balance: balance.grams.toString(),
  extra_currencies: toExtraCurrencyViews(balance.extra),
  last_transaction_id: toTransactionIdView(found?.lastTransaction),
  block_id: toBlockIdView(block),
  sync_utime: genUtime,
})

export const AccountView = Type.Object(
  {
    '@type': typeName('raw.fullAccountState'),
    ...accountMembers,
    code: BytesView,
    data: BytesView,
    frozen_hash: MaybeHashView,
    state: AccountStateNameView,
    suspended: Type.Boolean({ description: 'The network does not let it be activated for now.' }),
    ...proofMembers,
  },
  { $id: 'RawFullAccountState', description: 'An account as it is in the state.' },
)

export const toAccountView = (account: AccountReading, suspended: boolean): Static<typeof AccountView> => ({
  '@type': 'raw.fullAccountState',
  ...toAccountMembers(account),
  code: toCodeBytes(account.code),
  data: toMaybeCellBytes(account.data),
  frozen_hash: toFrozenHash(account),
  state: toAccountStateName(account),
  suspended,
})

export const toFrozenHash = ({ state }: AccountReading): string =>
  state.kind === 'frozen' ? toBase64(state.stateHash) : ''

const knownMembers = Type.Object({
  wallet_type: Type.Optional(Type.String({ examples: ['wallet v4 r2'] })),
  seqno: Type.Optional(Type.Integer({ description: 'What the next message of the owner has to say.', examples: [12] })),
  wallet_id: Type.Optional(Type.Integer({ examples: [698_983_191] })),
  is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Whether the key of the owner counts.' })),
})

export const WalletView = Type.Object(
  {
    '@type': typeName('ext.accounts.walletInformation'),
    wallet: Type.Boolean({ description: 'Whether it is a wallet of a well-known kind.' }),
    balance: AmountView,
    account_state: AccountStateNameView,
    last_transaction_id: TransactionIdView,
    ...knownMembers.properties,
    ...proofMembers,
  },
  { $id: 'WalletInformation', description: 'An account as the owner of a wallet looks at it.' },
)

export const toWalletView = (account: AccountReading): Static<typeof WalletView> => {
  const known = findKnownMembers(account)
  return {
    '@type': 'ext.accounts.walletInformation',
    wallet: known !== undefined,
    balance: account.balance.grams.toString(),
    account_state: toAccountStateName(account),
    last_transaction_id: toTransactionIdView(account.found?.lastTransaction),
    ...known,
  }
}

const findKnownMembers = ({ code, data }: AccountReading): Static<typeof knownMembers> | undefined => {
  const kind = code && findWalletKind(code.hash())
  if (kind?.walletType === undefined) return undefined
  const { seqno, walletId, signatureAllowed } = (data && findWalletFacts(kind, data)) ?? {}
  return {
    wallet_type: kind.walletType,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  }
}
