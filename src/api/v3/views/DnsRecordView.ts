import { type Static, Type } from 'typebox'
import { toBase64 } from '../../../primitives/base64.ts'
import type { DnsRecord } from '../../../store/reader/dnsRecords.ts'
import { AddressText, addressText } from './scalars.ts'

const MaybeAddress = Type.Union([AddressText, Type.Null()])
const MaybeBytes = Type.Union([Type.String({ description: '256 bits, base64.' }), Type.Null()])

export const DnsRecordView = Type.Object(
  {
    nft_item_address: AddressText,
    nft_item_owner: MaybeAddress,
    domain: Type.String({ examples: ['alice.ton'] }),
    dns_next_resolver: MaybeAddress,
    dns_wallet: MaybeAddress,
    dns_site_adnl: MaybeBytes,
    dns_storage_bag_id: MaybeBytes,
  },
  { $id: 'DNSRecord' },
)

const maybeAddress = (key: Uint8Array | undefined): string | null => (key === undefined ? null : addressText(key))
const maybeBytes = (bytes: Uint8Array | undefined): string | null => (bytes === undefined ? null : toBase64(bytes))

export const toDnsRecordView = (record: DnsRecord): Static<typeof DnsRecordView> => ({
  nft_item_address: addressText(record.item),
  nft_item_owner: maybeAddress(record.owner),
  domain: record.domain,
  dns_next_resolver: maybeAddress(record.nextResolver),
  dns_wallet: maybeAddress(record.wallet),
  dns_site_adnl: maybeBytes(record.siteAdnl),
  dns_storage_bag_id: maybeBytes(record.storageBagId),
})
