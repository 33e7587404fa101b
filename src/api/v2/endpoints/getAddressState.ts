import { optional } from '../../core/Param.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { AccountStateNameView, toAccountStateName } from '../views/AccountStateNameView.ts'

export const getAddressState = v2Endpoint({
  name: 'getAddressState',
  tags: ['accounts'],
  summary: 'Whether an account is active, uninitialized or frozen.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: AccountStateNameView,
  errors: [],
  lifetime: lifetimeAt,
  handle: async ({ node }, { address, seqno }) => toAccountStateName(await readAccount(node, address, seqno)),
})
