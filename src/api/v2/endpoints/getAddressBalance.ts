import { optional } from '../../core/Param.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { AmountView } from '../views/scalars.ts'

export const getAddressBalance = v2Endpoint({
  name: 'getAddressBalance',
  tags: ['accounts'],
  summary: 'The balance of an account in nano units; 0 where there is no such account.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: AmountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno }) {
    const { balance } = await readAccount(node, address, seqno)
    return balance.grams.toString()
  },
})
