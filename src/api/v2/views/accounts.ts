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
        'From the masterchain block to the shard block: Merkle proofs of its header and state. Empty for masterchain accounts.',
    }),
    account_proof: Type.String({
      description: 'From the shard block to the account: Merkle proofs of its header and state.',
    }),
    state: BytesView,
  },
  { $id: 'AccountProof', description: 'Proof of the result, starting from the hashes in block_id.' },
)

/** Additional members if the proof is requested. */
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
  { $id: 'AccountStateName', description: 'An account that does not exist is uninitialized.' },
)

export const toAccountStateName = ({ state }: AccountReading): Static<typeof AccountStateNameView> =>
  state.kind === 'uninit' ? 'uninitialized' : state.kind

/** Serialized codes by hash: a few dozen codes cover nearly all accounts. */
const written = new LruCache<string>(8 * 1024 * 1024)

/** The code of an account as a bag of cells in base64; empty without code. */
export const toCodeBytes = (code: Cell | undefined): string => {
  if (code === undefined) return ''
  const key = toBase64(code.hash())
  const known = written.find(key)
  if (known !== undefined) return known
  const bytes = toCellBytes(code)
  written.set(key, bytes, bytes.length + 200)
  return bytes
}

/** A hash, or an empty text. */
export const MaybeHashView = Type.Union([HashView, Type.Literal('')])

/** Members of every account response. */
export const accountMembers = {
  balance: AmountView,
  extra_currencies: Type.Array(ExtraCurrencyView),
  last_transaction_id: TransactionIdView,
  block_id: BlockIdView,
  sync_utime: Type.Integer({ description: 'Unix time of the state.', examples: [1_715_837_340] }),
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
    suspended: Type.Boolean({ description: 'Suspended by the configuration.' }),
    ...proofMembers,
  },
  { $id: 'RawFullAccountState', description: 'Account state.' },
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
  seqno: Type.Optional(Type.Integer({ description: 'Seqno of the next external message.', examples: [12] })),
  wallet_id: Type.Optional(Type.Integer({ examples: [698_983_191] })),
  is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Whether signature authentication is enabled.' })),
})

export const WalletView = Type.Object(
  {
    '@type': typeName('ext.accounts.walletInformation'),
    wallet: Type.Boolean({ description: 'Whether the account is a known wallet.' }),
    balance: AmountView,
    account_state: AccountStateNameView,
    last_transaction_id: TransactionIdView,
    ...knownMembers.properties,
    ...proofMembers,
  },
  { $id: 'WalletInformation', description: 'Wallet information.' },
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
