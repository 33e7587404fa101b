import { type Static, Type } from 'typebox'
import { toBase64 } from '../../../primitives/base64.ts'
import type { AccountReading } from '../readAccount.ts'
import { proofMembers } from './AccountProofView.ts'
import { AccountStateNameView, toAccountStateName } from './AccountStateNameView.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { toCodeBytes } from './codeBytes.ts'
import { ExtraCurrencyView, toExtraCurrencyViews } from './ExtraCurrencyView.ts'
import { AmountView, BytesView, HashView, toMaybeCellBytes, typeName } from './scalars.ts'
import { TransactionIdView, toTransactionIdView } from './TransactionIdView.ts'

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
