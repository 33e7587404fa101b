import { Type } from 'typebox'
import { type DnsRecordFilter, listDnsRecords } from '../../../store/reader/dnsRecords.ts'
import { optional, param } from '../../core/Param.ts'
import { hydrateAddressBook } from '../hydrate/hydrate.ts'
import { addressParam, limitParam, pageParams } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { DnsRecordView, toDnsRecordView } from '../views/DnsRecordView.ts'

const DEFAULT_ROWS = 100

const readFilter = (wallet: Uint8Array | undefined, domain = ''): DnsRecordFilter => {
  if (wallet !== undefined && domain !== '') {
    throw new RefusedRequestError('provide either wallet address or domain, not both')
  }
  if (wallet !== undefined) return { wallet }
  if (domain === '') throw new RefusedRequestError('either wallet address or domain is required')
  // The database has no character of number zero, and no name has one.
  return { domain: domain.replaceAll('\0', '\ufffd') }
}

export const dnsRecords = v3Endpoint({
  name: 'dns/records',
  tags: ['dns'],
  summary: 'Names and where they lead, the shortest first.',
  params: {
    wallet: optional(addressParam('The wallet that names lead to.')),
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
    const { rows, next } = await listDnsRecords(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ item, owner, wallet }) =>
      [item, owner, wallet].filter((each) => each !== undefined),
    )
    return { records: rows.map(toDnsRecordView), ...(await hydrateAddressBook(context, addresses)) }
  },
})
