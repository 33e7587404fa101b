import { type Static, Type } from 'typebox'
import type { DnsEntry } from '../../../codec/content/dns.ts'
import type { MsgAddressInt } from '../../../codec/tlb/MsgAddress.ts'
import type { ItemDomain } from '../../../contracts/dns/domainItems.ts'
import { toHex } from '../../../primitives/hex.ts'
import { typeName } from './scalars.ts'

const StandardAddressView = Type.Object({
  '@type': typeName('addr_std'),
  workchain_id: Type.Integer(),
  address: Type.String({ description: '64 hexadecimal digits.' }),
})

const DomainRecordView = Type.Union(
  [
    Type.Object({ '@type': typeName('dns_smc_address'), smc_addr: StandardAddressView }),
    Type.Object({ '@type': typeName('dns_next_resolver'), resolver: StandardAddressView }),
    Type.Object({ '@type': typeName('dns_adnl_address'), adnl_addr: Type.String() }),
    Type.Object({ '@type': typeName('dns_storage_address'), bag_id: Type.String() }),
  ],
  { $id: 'DomainRecord' },
)

type DomainRecord = Static<typeof DomainRecordView>

export const DomainContentView = Type.Object(
  {
    domain: Type.String({ examples: ['example.ton'] }),
    data: Type.Record(Type.String(), DomainRecordView, {
      description: 'Records by the name of their category, or by its hash where the name is not known.',
    }),
  },
  { $id: 'DomainContent', description: 'An NFT that is a domain name.' },
)

/** Records of other kinds are left out. */
export const toDomainContentView = (
  { entries }: Pick<ItemDomain, 'entries'>,
  domain: string,
): Static<typeof DomainContentView> => {
  const data: Record<string, DomainRecord> = {}
  for (const { name, category, value } of entries) {
    const record = toDomainRecord(value)
    if (record !== undefined) data[name ?? toHex(category).toUpperCase()] = record
  }
  return { domain, data }
}

const toDomainRecord = (value: DnsEntry['value']): DomainRecord | undefined => {
  switch (value.kind) {
    case 'smcAddress': {
      const address = toStandardAddress(value.address)
      return address && { '@type': 'dns_smc_address', smc_addr: address }
    }
    case 'nextResolver': {
      const resolver = toStandardAddress(value.resolver)
      return resolver && { '@type': 'dns_next_resolver', resolver }
    }
    case 'adnlAddress':
      return { '@type': 'dns_adnl_address', adnl_addr: toHex(value.adnl) }
    case 'storageAddress':
      return { '@type': 'dns_storage_address', bag_id: toHex(value.bagId) }
    case 'text':
    case 'other':
      return undefined
  }
}

const toStandardAddress = (address: MsgAddressInt): Static<typeof StandardAddressView> | undefined =>
  address.kind === 'std'
    ? { '@type': 'addr_std', workchain_id: address.workchain, address: toHex(address.hash) }
    : undefined
