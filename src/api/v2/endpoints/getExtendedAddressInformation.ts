import { optional } from '../../core/Param.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, ProofParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { toProofMembers } from '../views/AccountProofView.ts'
import { FullAccountView, toFullAccountView } from '../views/FullAccountView.ts'

export const getExtendedAddressInformation = v2Endpoint({
  name: 'getExtendedAddressInformation',
  tags: ['accounts'],
  summary: 'An account, and what its data says where it is a well-known contract.',
  params: { address: AddressParam, seqno: optional(SeqnoParam), proof: optional(ProofParam) },
  result: FullAccountView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno, proof }) {
    const account = await readAccount(node, address, seqno)
    return { ...toFullAccountView(address, account), ...toProofMembers(account, proof) }
  },
})
