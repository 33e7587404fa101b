import { optional } from '../../core/Param.ts'
import { lifetimeAt } from '../masterchainBlock.ts'
import { AddressParam, ProofParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { toProofMembers } from '../views/AccountProofView.ts'
import { toWalletView, WalletView } from '../views/WalletView.ts'

export const getWalletInformation = v2Endpoint({
  name: 'getWalletInformation',
  tags: ['accounts'],
  summary: 'Whether an account is a wallet, of which kind, and what its next message has to say.',
  params: { address: AddressParam, seqno: optional(SeqnoParam), proof: optional(ProofParam) },
  result: WalletView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { address, seqno, proof }) {
    const account = await readAccount(node, address, seqno)
    return { ...toWalletView(account), ...toProofMembers(account, proof) }
  },
})
