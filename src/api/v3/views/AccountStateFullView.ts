import { type Static, Type } from 'typebox'
import type { AccountState } from '../../../store/reader/accounts.ts'
import { AccountStatusView } from './AccountStatusView.ts'
import { ExtraCurrenciesView, toKnownExtra } from './ExtraCurrenciesView.ts'
import { AddressText, addressText, BocText, DecimalText, HashText, hashText } from './scalars.ts'
import { stateBocText } from './stateBocText.ts'

export const AccountStateFullView = Type.Object(
  {
    address: AddressText,
    account_state_hash: HashText,
    balance: DecimalText,
    extra_currencies: Type.Union([ExtraCurrenciesView, Type.Null()], { description: 'Null where they are not known.' }),
    status: AccountStatusView,
    frozen_hash: Type.Optional(HashText),
    last_transaction_hash: HashText,
    last_transaction_lt: DecimalText,
    data_hash: Type.Optional(HashText),
    code_hash: Type.Optional(HashText),
    data_boc: Type.Optional(BocText),
    code_boc: Type.Optional(BocText),
    contract_methods: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
      description: 'The numbers of the get-methods; null where the code does not begin as that of contracts does.',
    }),
    interfaces: Type.Array(Type.String(), { description: 'What the contract is.' }),
  },
  { $id: 'AccountStateFull' },
)

/** What is known of the code of an account. */
export type ShownCode = {
  /** A bag of cells; absent where it is not wanted. */
  readonly boc: string | undefined
  readonly methods: readonly number[] | undefined
  readonly interfaces: readonly string[]
}

export const toAccountStateFullView = (
  state: AccountState,
  code: ShownCode | undefined,
): Static<typeof AccountStateFullView> =>
  ({
    address: addressText(state.account),
    account_state_hash: hashText(state.hash),
    balance: String(state.balance),
    extra_currencies: toKnownExtra(state.extra) ?? null,
    status: state.status,
    frozen_hash: state.frozenHash && hashText(state.frozenHash),
    last_transaction_hash: hashText(state.lastHash),
    last_transaction_lt: String(state.lastLt),
    data_hash: state.dataHash && hashText(state.dataHash),
    code_hash: state.codeHash && hashText(state.codeHash),
    data_boc: state.data && stateBocText(state.data),
    code_boc: code?.boc,
    contract_methods: code?.methods === undefined ? null : [...code.methods],
    interfaces: [...(code?.interfaces ?? [])],
  }) as Static<typeof AccountStateFullView>
