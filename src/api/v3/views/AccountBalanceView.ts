import { type Static, Type } from 'typebox'
import type { AccountBalance } from '../../../store/reader/accounts.ts'
import { AddressText, addressText, DecimalText } from './scalars.ts'

export const AccountBalanceView = Type.Object({ account: AddressText, balance: DecimalText }, { $id: 'AccountBalance' })

export const toAccountBalanceView = ({ account, balance }: AccountBalance): Static<typeof AccountBalanceView> => ({
  account: addressText(account),
  balance: String(balance),
})
