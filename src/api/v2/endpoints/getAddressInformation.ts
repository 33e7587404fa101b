import { optional } from '../../core/Param.ts'
import { isSuspended } from '../isSuspended.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, ProofParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { toProofMembers } from '../views/AccountProofView.ts'
import { AccountView, toAccountView } from '../views/AccountView.ts'

export const getAddressInformation = v2Endpoint({
  name: 'getAddressInformation',
  tags: ['accounts'],
  summary: 'An account as it is in the state: balance, code, data, last transaction.',
  params: { address: AddressParam, seqno: optional(SeqnoParam), proof: optional(ProofParam) },
  result: AccountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno, proof }) {
    const account = await readAccount(node, address, seqno)
    return { ...toAccountView(account, await isSuspended(node, address, account)), ...toProofMembers(account, proof) }
  },
})
