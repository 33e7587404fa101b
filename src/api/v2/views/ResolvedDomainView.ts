import { type Static, Type } from 'typebox'
import { sliceToCell } from '../../../codec/cell/CellWriter.ts'
import type { DnsEntry } from '../../../codec/content/dns.ts'
import { decodeUtf8Lossy } from '../../../codec/content/text.ts'
import { hashName, openEntry } from '../../../codec/content/tokenContent.ts'
import type { MsgAddressInt } from '../../../codec/tlb/MsgAddress.ts'
import type { ResolvedDomain } from '../../../contracts/dns/resolveDomain.ts'
import { formatAdnlAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toHex } from '../../../primitives/hex.ts'
import { AnswerBudget } from '../stack/AnswerBudget.ts'
import { AccountAddressView, toAccountAddressView } from './AccountAddressView.ts'
import { BytesView, HashView, toCellBytes, typeName } from './scalars.ts'

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

export const ResolvedDomainView = Type.Object(
  { '@type': typeName('dns.resolved'), entries: Type.Array(EntryView) },
  { $id: 'ResolvedDomain', description: 'The records of a name, or who knows them.' },
)

const nextResolver = hashName('dns_next_resolver')

/** All records may be one cell, which would be spelled out for each. */
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
