import { optional } from '../../core/Param.ts'
import { isSuspended } from '../isSuspended.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { AccountView, toAccountView } from '../views/AccountView.ts'

export const getAddressInformation = v2Endpoint({
  name: 'getAddressInformation',
  tags: ['accounts'],
  summary: 'An account as it is in the state: balance, code, data, last transaction.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: AccountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno }) {
    const account = await readAccount(node, address, seqno)
    return toAccountView(account, await isSuspended(node, address, account))
  },
})
