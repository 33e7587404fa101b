import { type Static, Type } from 'typebox'
import { accountNoneCell } from '../../../codec/tlb/Account.ts'
import type { StateSnapshot } from '../../../store/reader/TransactionRecord.ts'
import { AccountStatusView } from './AccountStatusView.ts'
import { ExtraCurrenciesView, toKnownExtra } from './ExtraCurrenciesView.ts'
import { DecimalText, HashText, hashText } from './scalars.ts'

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const AccountStateView = Type.Object(
  {
    hash: HashText,
    balance: orNull(DecimalText),
    extra_currencies: orNull(ExtraCurrenciesView),
    account_status: orNull(AccountStatusView),
    frozen_hash: orNull(HashText),
    data_hash: orNull(HashText),
    code_hash: orNull(HashText),
  },
  { $id: 'AccountState', description: 'An account before or after a transaction. What blocks do not show is null.' },
)

const NO_ACCOUNT_HASH = hashText(accountNoneCell.hash())

const hashOrNull = (hash: Uint8Array | undefined): string | null => (hash === undefined ? null : hashText(hash))

export const toAccountStateView = ({ hash, known }: StateSnapshot): Static<typeof AccountStateView> => ({
  hash: hash === undefined ? NO_ACCOUNT_HASH : hashText(hash),
  balance: known === undefined ? null : String(known.balance),
  extra_currencies: known === undefined ? null : (toKnownExtra(known.extra) ?? null),
  account_status: known?.status ?? null,
  frozen_hash: hashOrNull(known?.frozenHash),
  data_hash: hashOrNull(known?.dataHash),
  code_hash: hashOrNull(known?.codeHash),
})
