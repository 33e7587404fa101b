import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { hashToHex } from '../model/addresses.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Badge, Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, Hash, TimeAgo } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { EntityHead, Moment, Paged } from './parts.tsx'

type DnsRecord = V3Result<'dns/records'>['records'][number]
type Action = V3Result<'actions'>['actions'][number]

/** How long a name of the zone is kept after it was filled up: 366 days. */
const LEASE_S = 31_622_400

/** When a name ends, and the auction that it may be in. */
type Lease = { readonly until: number | undefined; readonly auction: Auction | undefined }
type Auction = { readonly bid: bigint; readonly endTime: number }

/** A domain: where it leads, how long, and what it was before. */
export const DomainPage = ({ domain }: { readonly domain: string }) => {
  const name = domain.toLowerCase()
  const { value, error } = useRequest(
    `domain ${name}`,
    async (signal) => {
      const { result } = await callV3('dns/records', { domain: name, limit: 1 }, signal)
      const [record] = result.records
      return { known: record && { record, lease: await readLease(record.nft_item_address, signal) } }
    },
    { pollMs: 10 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  if (value.known === undefined) return <Failure error={new Error(`There is no domain ${name} in the index.`)} />
  const { record, lease } = value.known
  const isOver = lease.until !== undefined && 1000 * lease.until < Date.now()
  const isInAuction = lease.auction !== undefined && 1000 * lease.auction.endTime > Date.now()
  return (
    <>
      <EntityHead
        raw={record.nft_item_address}
        kind="Domain"
        title={record.domain}
        name={record.domain}
        url={undefined}
        badges={
          <>
            {isInAuction && <Badge tone="warn">at auction</Badge>}
            {isOver && !isInAuction && <Badge tone="bad">expired</Badge>}
          </>
        }
      />
      {error !== undefined && <Failure error={error} />}
      <div class="columns is-even">
        <Card title="Records">
          <Records record={record} />
        </Card>
        <Card title="Ownership">
          <Facts
            facts={[
              [
                'Owner',
                record.nft_item_owner === null ? (
                  <span class="muted">none</span>
                ) : (
                  <AddressLink raw={record.nft_item_owner} hasCopy />
                ),
              ],
              lease.until !== undefined && [isOver ? 'Expired' : 'Expires', <Moment utime={lease.until} />],
              isInAuction && ['Highest bid', <Amount value={lease.auction!.bid} />],
              isInAuction && ['Auction ends', <Moment utime={lease.auction!.endTime} />],
              ['NFT', <Link to={{ page: 'nft', key: record.nft_item_address }}>NFT page</Link>],
            ]}
          />
        </Card>
      </div>
      <DomainHistory item={record.nft_item_address} />
    </>
  )
}

/** Names that are not of the zone have no such methods. */
const readLease = async (item: string, signal: AbortSignal): Promise<Lease> => {
  const ask = (method: string) =>
    callV3('runGetMethod', { address: item, method, stack: [] }, signal).then(
      ({ result }) => (Number(result.exit_code) > 1 ? [] : result.stack),
      () => [],
    )
  const [filled, auction] = await Promise.all([ask('get_last_fill_up_time'), ask('get_auction_info')])
  const time = numberIn(filled[0])
  const [bid, endTime] = [numberIn(auction[1]), numberIn(auction[2])]
  return {
    until: time === undefined || time === 0n ? undefined : Number(time) + LEASE_S,
    auction:
      bid === undefined || endTime === undefined || endTime === 0n ? undefined : { bid, endTime: Number(endTime) },
  }
}

const numberIn = (entry: V3Result<'runGetMethod'>['stack'][number] | undefined): bigint | undefined =>
  entry?.type === 'num' && typeof entry.value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(entry.value)
    ? BigInt(entry.value)
    : undefined

const Records = ({ record }: { readonly record: DnsRecord }) => {
  const { dns_wallet, dns_site_adnl, dns_storage_bag_id, dns_next_resolver } = record
  const isEmpty = [dns_wallet, dns_site_adnl, dns_storage_bag_id, dns_next_resolver].every((each) => each === null)
  if (isEmpty) return <p class="card-text muted">No records: the name leads nowhere.</p>
  return (
    <Facts
      facts={[
        dns_wallet !== null && ['Wallet', <AddressLink raw={dns_wallet} hasCopy />],
        dns_site_adnl !== null && ['Site (ADNL)', <Hash hash={dns_site_adnl} what="ADNL address" />],
        dns_storage_bag_id !== null && ['Storage bag', <Hash hash={dns_storage_bag_id} what="bag id" />],
        dns_next_resolver !== null && ['Subdomains at', <AddressLink raw={dns_next_resolver} hasCopy />],
      ]}
    />
  )
}

/** Categories are SHA-256 hashes of these names. */
const categories: { readonly [hash: string]: string } = {
  e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b: 'Wallet',
  fbae041b02c41ed0fd8a4efb039bc780dd6af4a1f0c420f42561ae705dda43fe: 'Site',
  '49a25f9feefaffecad0fcd30c50dc9331cff8b55ece53def6285c09e17e6f5d7': 'Storage',
  '19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff': 'Next resolver',
  '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1': 'Text',
}

const ACTIONS_PER_PAGE = 25

const DomainHistory = ({ item }: { readonly item: string }) => {
  const pages = usePages(
    `history of domain ${item}`,
    async (cursor, signal) => {
      const args = { account: item, limit: ACTIONS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('actions', args, signal)
      // Confirmations to the sender say nothing of the name.
      const rows = result.actions.filter(({ type }) => type !== 'call_contract')
      return { rows, cursor: next }
    },
    { idOf: ({ action_id }) => action_id, pollMs: 5 * SECOND },
  )
  return (
    <>
      <h2 class="section-title">History</h2>
      <Paged pages={pages} icon="clock" empty="Nothing has changed yet.">
        {(rows) => (
          <ul class="actions">
            {rows.map((action) =>
              action.type === 'change_dns' || action.type === 'delete_dns' ? (
                <RecordChange key={action.action_id} action={action} />
              ) : (
                <ActionRow key={action.action_id} action={action} self={item} />
              ),
            )}
          </ul>
        )}
      </Paged>
    </>
  )
}

type ChangeDetails = {
  readonly key?: string
  readonly source?: string | null
  readonly value?: {
    readonly dns_smc_address?: string | null
    readonly dns_adnl_address?: string | null
    readonly dns_storage_address?: string | null
    readonly dns_next_resolver_address?: string | null
    readonly dns_text?: string | null
  }
}

const RecordChange = ({ action }: { readonly action: Action }) => {
  const { key = '', source, value } = action.details as ChangeDetails
  const category = categories[hashToHex(key)] ?? 'Record'
  const address = value?.dns_smc_address ?? value?.dns_next_resolver_address
  const bytes = value?.dns_adnl_address ?? value?.dns_storage_address
  const hash = action.trace_id ?? action.trace_external_hash
  const title = action.type === 'delete_dns' ? `${category} removed` : `${category} set`
  return (
    <li class={`action ${action.success === false ? 'is-failed' : ''}`}>
      <span class="action-title">
        {hash === undefined ? title : <Link to={{ page: 'trace', hash: hashToHex(hash) }}>{title}</Link>}
        {action.success === false && <Badge tone="bad">failed</Badge>}
      </span>
      <span class="action-parties">
        {address !== undefined && address !== null && <AddressLink raw={address} />}
        {bytes !== undefined && bytes !== null && <Hash hash={bytes} what="value" hasCopy={false} />}
        {value?.dns_text !== undefined && value.dns_text !== null && <span class="value">{value.dns_text}</span>}
      </span>
      <span class="action-amounts">
        {source !== undefined && source !== null && (
          <span class="by">
            by <AddressLink raw={source} />
          </span>
        )}
      </span>
      <span class="action-time">
        <TimeAgo utime={action.end_utime} />
      </span>
    </li>
  )
}
