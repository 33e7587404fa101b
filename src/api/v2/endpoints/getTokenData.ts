import { findDomainName } from '../../../contracts/dns/domainItems.ts'
import type { RunMethod } from '../../../contracts/getMethods.ts'
import { findToken, type TokenFacts } from '../../../contracts/tokens/findToken.ts'
import type { Address } from '../../../primitives/Address.ts'
import { optional } from '../../core/Param.ts'
import { NotATokenError } from '../errors.ts'
import { createRunMethod } from '../methods/createRunMethod.ts'
import { AddressParam, formatGivenAddress, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import type { V2Settings } from '../V2Context.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { TokenView, toTokenView } from '../views/TokenView.ts'

export const getTokenData = v2Endpoint({
  name: 'getTokenData',
  tags: ['accounts', 'tokens'],
  summary: 'What a jetton, a jetton wallet, an NFT collection or an NFT says of itself, and its parent of it.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: TokenView,
  errors: ['not_a_token'],
  // The configuration is that of the newest block, whatever block the states are of.
  lifetime: () => 'head',
  async handle(context, { address, seqno }) {
    const { block } = await readAccount(context.node, address, seqno)
    const shown = formatGivenAddress(address)
    const run = createRunMethod(context, block)
    const token = await findToken(run, address)
    if (token === undefined) throw new NotATokenError(shown)
    return toTokenView(token, shown, await nameOf(run, address, token, context.settings))
  },
})

/** The whole name of an item that is one, as its collection has it; in one that is not known, below the domain of the network. */
const nameOf = async (
  run: RunMethod,
  address: Address,
  token: TokenFacts,
  { topLevelDomain }: V2Settings,
): Promise<string> => {
  if (token.kind !== 'nftItem' || token.domain === undefined || token.collection === undefined) return ''
  const { label } = token.domain
  const known = await findDomainName(run, address, token.collection)
  return known ?? (label === undefined ? '' : `${label}.${topLevelDomain}`)
}
