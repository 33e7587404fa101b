import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import { applyPage, cutPage, type Order, type Page, type Paged } from './page.ts'

export type DnsRecord = {
  readonly item: Uint8Array
  readonly owner: Uint8Array | undefined
  readonly domain: string
  readonly nextResolver: Uint8Array | undefined
  readonly wallet: Uint8Array | undefined
  readonly siteAdnl: Uint8Array | undefined
  readonly storageBagId: Uint8Array | undefined
}

/** Records of a wallet, or of one domain. */
export type DnsRecordFilter = { readonly wallet: Uint8Array } | { readonly domain: string }

const byLength: Order = {
  name: 'length',
  columns: [
    { column: 'length', direction: 'asc' },
    { column: 'domain', direction: 'asc' },
    { column: 'nft_item_address', direction: 'asc' },
  ],
}

export const dnsRecordsQuery = (filter: DnsRecordFilter, page: Page) =>
  applyPage(
    queryBuilder
      .selectFrom((from) => {
        const entries = from
          .selectFrom('dns_entries')
          .select([
            'domain',
            'nft_item_address',
            'nft_item_owner',
            'dns_next_resolver',
            'dns_wallet',
            'dns_site_adnl',
            'dns_storage_bag_id',
            sql<number>`length(domain)`.as('length'),
          ])
        const asked =
          'wallet' in filter
            ? entries.where('dns_wallet', '=', filter.wallet)
            : entries.where('domain', '=', filter.domain)
        return asked.as('entries')
      })
      .selectAll(),
    byLength,
    page,
  )

/** DNS records, shortest domain first. */
export const listDnsRecords = async (
  reader: Reader,
  filter: DnsRecordFilter,
  page: Page,
): Promise<Paged<DnsRecord>> => {
  const found = await reader.read(dnsRecordsQuery(filter, page).compile())
  const { rows, next } = cutPage(found, byLength, page, (row) => [row.length, row.domain, row.nft_item_address])
  return {
    rows: rows.map((row) => ({
      item: row.nft_item_address,
      owner: row.nft_item_owner ?? undefined,
      domain: row.domain,
      nextResolver: row.dns_next_resolver ?? undefined,
      wallet: row.dns_wallet ?? undefined,
      siteAdnl: row.dns_site_adnl ?? undefined,
      storageBagId: row.dns_storage_bag_id ?? undefined,
    })),
    next,
  }
}
