import { findToken } from '../../../contracts/tokens/findToken.ts'
import { optional } from '../../core/Param.ts'
import { NotATokenError } from '../errors.ts'
import { createRunMethod } from '../methods/createRunMethod.ts'
import { AddressParam, formatGivenAddress, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { TokenView, toTokenView } from '../views/TokenView.ts'

export const getTokenData = v2Endpoint({
  name: 'getTokenData',
  tags: ['accounts', 'tokens'],
  summary: 'What a jetton, a jetton wallet, an NFT collection or an NFT says of itself, and its parent of it.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: TokenView,
  errors: ['not_a_token'],
  lifetime: () => 'head',
  async handle(context, { address, seqno }) {
    const { block } = await readAccount(context.node, address, seqno)
    const shown = formatGivenAddress(address)
    const token = await findToken(createRunMethod(context, block), address)
    if (token === undefined) throw new NotATokenError(shown)
    return toTokenView(token, shown, context.settings.topLevelDomain)
  },
})
