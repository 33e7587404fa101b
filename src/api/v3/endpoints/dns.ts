import { type Static, Type } from 'typebox'
import { toBase64 } from '../../../primitives/base64.ts'
import { type DnsRecord, type DnsRecordFilter, listDnsRecords } from '../../../store/reader/dnsRecords.ts'
import { optional, param } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { hydrateAddressBook } from '../hydrate/hydrate.ts'
import { addressParam, limitParam, pageParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/addressBook.ts'
import { AddressText, addressText } from '../views/scalars.ts'

const MaybeAddress = Type.Union([AddressText, Type.Null()])
const MaybeBytes = Type.Union([Type.String({ description: '256 bits, base64.' }), Type.Null()])

const DnsRecordView = Type.Object(
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

const toDnsRecordView = (record: DnsRecord): Static<typeof DnsRecordView> => ({
  nft_item_address: addressText(record.item),
  nft_item_owner: maybeAddress(record.owner),
  domain: record.domain,
  dns_next_resolver: maybeAddress(record.nextResolver),
  dns_wallet: maybeAddress(record.wallet),
  dns_site_adnl: maybeBytes(record.siteAdnl),
  dns_storage_bag_id: maybeBytes(record.storageBagId),
})

const DEFAULT_ROWS = 100

const readFilter = (wallet: Uint8Array | undefined, domain = ''): DnsRecordFilter => {
  if (wallet !== undefined && domain !== '') {
    throw new RefusedRequestError('provide either wallet address or domain, not both')
  }
  if (wallet !== undefined) return { wallet }
  if (domain === '') throw new RefusedRequestError('either wallet address or domain is required')
  // No name contains NUL, and PostgreSQL text cannot.
  return { domain: domain.replaceAll('\0', '\ufffd') }
}

export const dnsRecords = v3Endpoint({
  name: 'dns/records',
  tags: ['dns'],
  summary: 'DNS records, shortest domain first.',
  params: {
    wallet: optional(addressParam('Wallet address of the record.')),
    domain: optional(param(Type.String({ description: 'A name.', examples: ['alice.ton'], maxLength: 1000 }))),
    ...pageParams,
    limit: limitParam(DEFAULT_ROWS),
  },
  result: Type.Object(
    { records: Type.Array(DnsRecordView), address_book: AddressBookView },
    { $id: 'DNSRecordsResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const filter = readFilter(params.wallet, params.domain)
    const { rows, next } = await listDnsRecords(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ item, owner, wallet }) =>
      [item, owner, wallet].filter((each) => each !== undefined),
    )
    return { records: rows.map(toDnsRecordView), ...(await hydrateAddressBook(context, addresses)) }
  },
})
