import { type Static, Type } from 'typebox'
import { sliceToCell } from '../../../codec/cell/CellWriter.ts'
import type { DnsEntry } from '../../../codec/content/dns.ts'
import { decodeUtf8Lossy } from '../../../codec/content/text.ts'
import { hashName, openEntry } from '../../../codec/content/tokenContent.ts'
import type { MsgAddressInt } from '../../../codec/tlb/MsgAddress.ts'
import {
  DnsError,
  encodeDomain,
  type ResolvedDomain,
  ResolverFailedError,
  ResolverMissingError,
  resolveDomain,
} from '../../../contracts/dns/resolveDomain.ts'
import { formatAdnlAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toHex } from '../../../primitives/hex.ts'
import { optional, param, withDefault } from '../../core/params.ts'
import { NodeClientError } from '../errors.ts'
import { AnswerBudget } from '../getMethods/AnswerBudget.ts'
import { createRunMethod } from '../getMethods/runMethod.ts'
import { AddressParam, CountParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import {
  AccountAddressView,
  BytesView,
  HashView,
  toAccountAddressView,
  toCellBytes,
  typeName,
} from '../views/scalars.ts'

const EntryDataView = Type.Union([
  Type.Object({ '@type': typeName('dns.entryDataUnknown'), bytes: BytesView }),
  Type.Object({ '@type': typeName('dns.entryDataText'), text: Type.String() }),
  Type.Object({ '@type': typeName('dns.entryDataNextResolver'), resolver: AccountAddressView }),
  Type.Object({ '@type': typeName('dns.entryDataSmcAddress'), smc_address: AccountAddressView }),
  Type.Object({
    '@type': typeName('dns.entryDataAdnlAddress'),
    adnl_address: Type.Object({ '@type': typeName('adnlAddress'), adnl_address: Type.String() }),
  }),
  Type.Object({ '@type': typeName('dns.entryDataStorageAddress'), bag_id: Type.String() }),
])

const EntryView = Type.Object(
  { '@type': typeName('dns.entry'), name: Type.String(), category: HashView, entry: EntryDataView },
  { $id: 'DnsEntry' },
)

const ResolvedDomainView = Type.Object(
  { '@type': typeName('dns.resolved'), entries: Type.Array(EntryView) },
  { $id: 'ResolvedDomain', description: 'DNS records of a name, or the next resolver.' },
)

const nextResolver = hashName('dns_next_resolver')

/** All records may share one large cell, so the response has a budget. */
export const toResolvedDomainView = (
  domain: ResolvedDomain,
  budget = new AnswerBudget(),
): Static<typeof ResolvedDomainView> => ({
  '@type': 'dns.resolved',
  entries:
    domain.kind === 'records'
      ? domain.entries.map(({ category, value }) => toEntryView(domain.name, category, toEntryDataView(value, budget)))
      : [
          toEntryView(domain.name, nextResolver, {
            '@type': 'dns.entryDataNextResolver',
            resolver: toAccountAddressView(domain.resolver),
          }),
        ],
})

const toEntryView = (
  name: string,
  category: Uint8Array,
  entry: Static<typeof EntryDataView>,
): Static<typeof EntryView> => ({ '@type': 'dns.entry', name, category: toBase64(category), entry })

const toEntryDataView = (value: DnsEntry['value'], budget: AnswerBudget): Static<typeof EntryDataView> => {
  switch (value.kind) {
    case 'text':
      return { '@type': 'dns.entryDataText', text: budget.take(decodeUtf8Lossy(value.bytes)) }
    case 'nextResolver':
      return { '@type': 'dns.entryDataNextResolver', resolver: toAddressView(value.resolver) }
    case 'smcAddress':
      return { '@type': 'dns.entryDataSmcAddress', smc_address: toAddressView(value.address) }
    case 'adnlAddress': {
      const adnl_address = formatAdnlAddress(value.adnl)
      return { '@type': 'dns.entryDataAdnlAddress', adnl_address: { '@type': 'adnlAddress', adnl_address } }
    }
    case 'storageAddress':
      return { '@type': 'dns.entryDataStorageAddress', bag_id: toHex(value.bagId) }
    case 'other':
      return {
        '@type': 'dns.entryDataUnknown',
        bytes: budget.take(toCellBytes(sliceToCell(openEntry(value.slice).readRest()))),
      }
  }
}

const toAddressView = (address: MsgAddressInt): Static<typeof AccountAddressView> =>
  toAccountAddressView(address.kind === 'std' ? address : undefined)

/** Malformed names are refused before a node is called. */
const NameParam = param(
  Type.String({ description: 'Domain name, relative to the resolver.', examples: ['example.ton'] }),
  (name) => {
    encodeDomain(name)
    return name
  },
)

const CategoryParam = param(Type.String({ description: 'Ignored: records of all categories are returned.' }))

export const dnsResolve = v2Endpoint({
  name: 'dnsResolve',
  tags: ['accounts', 'tokens'],
  summary: 'Resolve a domain name by a resolver contract.',
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
