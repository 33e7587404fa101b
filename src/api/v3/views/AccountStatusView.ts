import { Type } from 'typebox'

export const AccountStatusView = Type.Union(
  [Type.Literal('uninit'), Type.Literal('frozen'), Type.Literal('active'), Type.Literal('nonexist')],
  { $id: 'AccountStatus' },
)
