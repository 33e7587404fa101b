import { type Static, Type } from 'typebox'
import type { AccountReading } from '../readAccount.ts'

export const AccountStateNameView = Type.Union(
  [Type.Literal('active'), Type.Literal('uninitialized'), Type.Literal('frozen')],
  { $id: 'AccountStateName', description: 'An account that was never seen is uninitialized.' },
)

export const toAccountStateName = ({ state }: AccountReading): Static<typeof AccountStateNameView> =>
  state.kind === 'uninit' ? 'uninitialized' : state.kind
