import { type Static, Type } from 'typebox'
import type { AccountState } from '../../../store/reader/accounts.ts'
import type { JsonObject } from '../../core/json/JsonValue.ts'
import { BocText, DecimalText, HashText, hashText } from './scalars.ts'
import { stateBocText } from './stateBocText.ts'

/** The words of the index, and the one that the live interface has for an account without code. */
export const LegacyStatusView = Type.Union(
  [
    Type.Literal('uninit'),
    Type.Literal('frozen'),
    Type.Literal('active'),
    Type.Literal('nonexist'),
    Type.Literal('uninitialized'),
  ],
  { $id: 'LegacyAccountStatus' },
)

export type LegacyStatus = Static<typeof LegacyStatusView>

export const AddressInformationView = Type.Object(
  {
    balance: DecimalText,
    code: Type.Union([BocText, Type.Null()]),
    data: Type.Union([BocText, Type.Null()]),
    last_transaction_lt: DecimalText,
    last_transaction_hash: HashText,
    frozen_hash: Type.Union([HashText, Type.Null()]),
    status: LegacyStatusView,
  },
  { $id: 'AddressInformation' },
)

type AddressInformation = Static<typeof AddressInformationView>

/** `code` is a bag of cells. */
export const toAddressInformationView = (state: AccountState, code: string | undefined): AddressInformation => ({
  balance: String(state.balance),
  code: code ?? null,
  data: state.data === undefined ? null : stateBocText(state.data),
  last_transaction_lt: String(state.lastLt),
  last_transaction_hash: hashText(state.lastHash),
  frozen_hash: state.frozenHash === undefined ? null : hashText(state.frozenHash),
  status: state.status,
})

/** From what the live interface says; there nothing at all is an empty text. */
export const fromLiveAccount = (live: JsonObject): AddressInformation => {
  const { balance, code, data, frozen_hash, state, last_transaction_id } = live
  const { lt, hash } = last_transaction_id as { readonly lt: string; readonly hash: string }
  const orNull = (text: unknown): string | null => (text as string) || null
  return {
    balance: balance as string,
    code: orNull(code),
    data: orNull(data),
    last_transaction_lt: lt,
    last_transaction_hash: hash,
    frozen_hash: orNull(frozen_hash),
    status: state as LegacyStatus,
  }
}
