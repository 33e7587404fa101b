import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { friendlyOf, tokenOf } from '../model/addressBook.ts'
import { Amount } from '../parts/Amount.tsx'
import { Badge, Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, Hash } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { contentFacts, EntityHistory } from './JettonPage.tsx'
import { collectionNameOf, itemImageOf, itemNameOf, type NftItem } from './nftParts.tsx'
import { EntityHead, Moment, noteOf, Paged, Picture, TransferRow, Views } from './parts.tsx'

type Sale = V3Result<'nft/sales'>['nft_sales'][number]

/** An NFT: picture, attributes, owner, sale and history. */
export const NftPage = ({ raw }: { readonly raw: string }) => {
  const { value, error } = useRequest(
    `nft ${raw}`,
    async (signal) => {
      const { result } = await callV3('nft/items', { address: [raw], limit: 1 }, signal)
      const [item] = result.nft_items
      if (item === undefined) return { item, sale: undefined }
      // An item with a built-in auction is its own sale.
      const contract = item.sale_contract_address ?? item.auction_contract_address ?? raw
      const sales = await callV3('nft/sales', { address: [contract] }, signal)
      return { item, sale: sales.result.nft_sales[0] }
    },
    { pollMs: 5 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { item, sale } = value
  if (item === undefined) return <Failure error={new Error('There is no NFT at this address.')} />
  return (
    <>
      <NftHead item={item} />
      {error !== undefined && <Failure error={error} />}
      <div class="nft-body">
        <Picture raw={raw} name={itemNameOf(item)} url={itemImageOf(item)} class="is-whole" />
        <div class="stack">
          <Card>
            <NftFacts item={item} />
          </Card>
          {sale !== undefined && <SaleCard sale={sale} />}
          <Attributes item={item} />
        </div>
      </div>
      <Views
        label="NFT"
        tabs={[
          { key: 'transfers', title: 'Owners over time' },
          { key: 'history', title: 'History' },
          { key: 'details', title: 'Details' },
        ]}
      >
        {(view) => (
          <>
            {view === 'transfers' && <NftTransfers filter={{ item_address: [raw] }} />}
            {view === 'history' && <EntityHistory raw={raw} />}
            {view === 'details' && (
              <Card>
                <Facts
                  facts={[
                    ['Index', <span class="mono whole">{item.index}</span>],
                    ['Code', <Hash hash={item.code_hash} what="hash of the code" />],
                    ['Data', <Hash hash={item.data_hash} what="hash of the data" />],
                    ...contentFacts(item.content),
                  ]}
                />
              </Card>
            )}
          </>
        )}
      </Views>
    </>
  )
}

const NftHead = ({ item }: { readonly item: NftItem }) => {
  const { address, content, on_sale } = item
  const info = tokenOf(address, 'nft_items')
  return (
    <EntityHead
      raw={address}
      kind={content?.['domain'] === undefined ? 'NFT' : 'Domain'}
      title={itemNameOf(item)}
      name={itemNameOf(item)}
      url={undefined}
      hasPicture={false}
      description={info?.description ?? content?.['description']}
      badges={
        <>
          {!item.init && <Badge>not initialized</Badge>}
          {info?.is_scam === true && <Badge tone="bad">scam</Badge>}
          {on_sale && (
            <Badge tone="warn">{item.auction_contract_address === undefined ? 'on sale' : 'at auction'}</Badge>
          )}
        </>
      }
    />
  )
}

const NftFacts = ({ item }: { readonly item: NftItem }) => {
  const { collection, owner_address: owner, content } = item
  const domain = content?.['domain']
  return (
    <Facts
      facts={[
        ['Owner', <Owner raw={item.real_owner ?? owner} />],
        item.real_owner !== undefined && owner !== null && ['Held by', <AddressLink raw={owner} hasKind />],
        [
          'Collection',
          collection === null ? (
            <span class="muted">none</span>
          ) : (
            <Link to={{ page: 'collection', key: friendlyOf(collection.address) }}>{collectionNameOf(collection)}</Link>
          ),
        ],
        domain !== undefined && ['Domain', <Link to={{ page: 'dns', key: domain }}>{domain}</Link>],
      ]}
    />
  )
}

const Owner = ({ raw }: { readonly raw: string | null }) =>
  raw === null ? <span class="muted">none</span> : <AddressLink raw={raw} hasCopy hasKind />

type Attribute = { readonly name: string; readonly value: string }

/** Attributes of a metadata document, in the form that marketplaces use. */
const attributesOf = ({ address }: NftItem): Attribute[] => {
  const listed = tokenOf(address, 'nft_items')?.extra?.['attributes']
  if (!Array.isArray(listed)) return []
  return listed.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return []
    const { trait_type, value } = each as { trait_type?: unknown; value?: unknown }
    if (typeof trait_type !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) return []
    return [{ name: trait_type, value: String(value) }]
  })
}

const Attributes = ({ item }: { readonly item: NftItem }) => {
  const attributes = attributesOf(item)
  if (attributes.length === 0) return null
  return (
    <Card title="Attributes">
      <dl class="attributes">
        {attributes.map(({ name, value }, index) => (
          <div key={`${index} ${name}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** Terms of a sale. Their names depend on its type. */
const SaleCard = ({ sale }: { readonly sale: Sale }) => {
  const { details } = sale
  const coins = (name: string) => {
    const text = details[name]
    return typeof text === 'string' && /^[1-9]\d*$/.test(text) ? <Amount value={text} /> : undefined
  }
  const end = Number(details['end_time'] ?? 0)
  const isEnded = details['is_complete'] === true || details['end_flag'] === true
  const isOver = isEnded || (end > 0 && 1000 * end < Date.now())
  const facts = [
    ['Price', coins('full_price')],
    ['Last bid', coins('last_bid') ?? coins('bid')],
    ['Minimal bid', coins('min_bid')],
    ['Buy now for', coins('max_bid')],
    ['Ends', end > 0 ? <Moment utime={end} /> : undefined],
    ['Since', sale.created_at === undefined || sale.created_at === 0 ? undefined : <Moment utime={sale.created_at} />],
    ['Seller', sale.nft_owner_address === undefined ? undefined : <AddressLink raw={sale.nft_owner_address} />],
    [
      'Marketplace',
      sale.marketplace_address === undefined ? undefined : <AddressLink raw={sale.marketplace_address} />,
    ],
    ['Royalty', coins('royalty_amount')],
    ['Contract', <AddressLink raw={sale.address} hasCopy />],
  ] as const
  const title = sale.type === 'getgems_sale' ? 'Sale' : 'Auction'
  return (
    <Card title={title} aside={isOver ? <Badge>ended</Badge> : <Badge tone="good">open</Badge>}>
      <Facts facts={facts.map(([label, value]) => value !== undefined && ([label, value] as const))} />
    </Card>
  )
}

const TRANSFERS_PER_PAGE = 25

type TransferFilter = { readonly item_address: string[] } | { readonly collection_address: string }

/** Transfers of one item, or of all items of a collection. */
export const NftTransfers = ({ filter }: { readonly filter: TransferFilter }) => {
  const pages = usePages(
    `nft transfers ${JSON.stringify(filter)}`,
    async (cursor, signal) => {
      const args = { ...filter, limit: TRANSFERS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('nft/transfers', args, signal)
      return { rows: result.nft_transfers, cursor: next }
    },
    { idOf: ({ transaction_hash }) => transaction_hash, pollMs: 3 * SECOND },
  )
  return (
    <Paged pages={pages} icon="transaction" empty="No transfers yet.">
      {(rows) => (
        <ul class="actions">
          {rows.map((row) => (
            <TransferRow
              key={row.transaction_hash}
              title="Transfer"
              trace={row.trace_id}
              from={row.old_owner}
              to={row.new_owner}
              utime={row.transaction_now}
              hasFailed={row.transaction_aborted}
              note={noteOf(row.decoded_forward_payload)}
            >
              {'collection_address' in filter && (
                <Link to={{ page: 'nft', key: friendlyOf(row.nft_address) }}>
                  {tokenOf(row.nft_address, 'nft_items')?.name ?? 'NFT'}
                </Link>
              )}
            </TransferRow>
          ))}
        </ul>
      )}
    </Paged>
  )
}
