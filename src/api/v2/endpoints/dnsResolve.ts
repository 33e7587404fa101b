import { Type } from 'typebox'
import {
  DnsError,
  encodeDomain,
  ResolverFailedError,
  ResolverMissingError,
  resolveDomain,
} from '../../../contracts/dns/resolveDomain.ts'
import { optional, param, withDefault } from '../../core/Param.ts'
import { createRunMethod } from '../methods/createRunMethod.ts'
import { NodeClientError } from '../NodeClientError.ts'
import { AddressParam, CountParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ResolvedDomainView, toResolvedDomainView } from '../views/ResolvedDomainView.ts'

/** A name that can be asked for at all is refused, or not, before a node is asked. */
const NameParam = param(
  Type.String({ description: 'A domain name, relative to the resolver.', examples: ['example.ton'] }),
  (name) => {
    encodeDomain(name)
    return name
  },
)

const CategoryParam = param(Type.String({ description: 'Not looked at: the records of all categories come.' }))

export const dnsResolve = v2Endpoint({
  name: 'dnsResolve',
  tags: ['accounts', 'tokens'],
  summary: 'The records of a domain name, asked of a resolver contract.',
  params: {
    address: AddressParam,
    name: withDefault(NameParam, ''),
    category: optional(CategoryParam),
    ttl: withDefault(CountParam, 0),
    seqno: optional(SeqnoParam),
  },
  result: ResolvedDomainView,
  errors: ['stack_too_large'],
  lifetime: () => 'head',
  async handle(context, { address, name, ttl, seqno }) {
    const { block } = await readAccount(context.node, address, seqno)
    try {
      return toResolvedDomainView(await resolveDomain(createRunMethod(context, block), address, name, ttl))
    } catch (error) {
      if (error instanceof ResolverMissingError) {
        const { found } = await context.node.getAccountState(error.resolver, block)
        if (found !== undefined)
          throw new NodeClientError('VALIDATE_ACCOUNT_STATEAccount is not active', { cause: error })
      }
      if (error instanceof ResolverFailedError) throw new NodeClientError('get method failed', { cause: error })
      if (error instanceof DnsError) throw new NodeClientError(error.message, { cause: error })
      throw error
    }
  },
})
