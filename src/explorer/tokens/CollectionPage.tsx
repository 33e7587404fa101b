import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { friendlyOf, tokenOf } from '../model/addressBook.ts'
import { groupDigits } from '../model/format.ts'
import { Amount } from '../parts/Amount.tsx'
import { Card, Empty, Facts, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, Hash } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { contentFacts } from './JettonPage.tsx'
import { NftTransfers } from './NftPage.tsx'
import { collectionImageOf, collectionNameOf, NftTile } from './nftParts.tsx'
import { EntityHead, Paged, Share, Stats, Views } from './parts.tsx'

type CollectionStats = V3Result<'nft/collectionStats'>

/** A collection of NFTs: items as a grid, owners, current sales. */
export const CollectionPage = ({ raw }: { readonly raw: string }) => {
  const { value, error } = useRequest(
    `collection ${raw}`,
    async (signal) => {
      const [collections, stats] = await Promise.all([
        callV3('nft/collections', { collection_address: [raw], limit: 1 }, signal),
        callV3('nft/collectionStats', { collection_address: raw }, signal),
      ])
      return { collection: collections.result.nft_collections[0], stats: stats.result }
    },
    { pollMs: 10 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { collection, stats } = value
  if (collection === undefined) return <Failure error={new Error('There is no collection at this address.')} />
  const name = collectionNameOf(collection)
  const content = collection.collection_content
  return (
    <>
      <EntityHead
        raw={raw}
        kind="NFT collection"
        title={name}
        name={name}
        url={collectionImageOf(collection)}
        description={tokenOf(raw, 'nft_collections')?.description ?? content?.['description']}
      />
      {error !== undefined && <Failure error={error} />}
      <CollectionFigures stats={stats} owner={collection.owner_address} />
      <Views
        label="Collection"
        tabs={[
          { key: 'items', title: 'Items' },
          { key: 'owners', title: 'Owners' },
          { key: 'transfers', title: 'Transfers' },
          { key: 'details', title: 'Details' },
        ]}
      >
        {(view) => (
          <>
            {view === 'items' && <Items raw={raw} />}
            {view === 'owners' && <Owners stats={stats} />}
            {view === 'transfers' && <NftTransfers filter={{ collection_address: raw }} />}
            {view === 'details' && (
              <Card>
                <Facts
                  facts={[
                    collection.next_item_index !== '-1' && [
                      'Next index',
                      <span class="mono">{groupDigits(collection.next_item_index)}</span>,
                    ],
                    ['Code', <Hash hash={collection.code_hash} what="hash of the code" />],
                    ['Data', <Hash hash={collection.data_hash} what="hash of the data" />],
                    ...contentFacts(content),
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

type FiguresProps = { readonly stats: CollectionStats; readonly owner: string | null }

const CollectionFigures = ({ stats, owner }: FiguresProps) => {
  const more = stats.is_complete ? '' : '+'
  return (
    <Stats
      stats={[
        ['Items', `${groupDigits(stats.items)}${more}`],
        ['Owners', `${groupDigits(stats.owners)}${more}`],
        ['On sale', `${groupDigits(stats.on_sale)}${more}`],
        [
          'Floor price',
          stats.floor_price === null ? <span class="muted">no sales</span> : <Amount value={stats.floor_price} />,
          stats.floor_item === null ? undefined : (
            <Link to={{ page: 'nft', key: friendlyOf(stats.floor_item) }}>
              {tokenOf(stats.floor_item, 'nft_items')?.name ?? 'the item'}
            </Link>
          ),
        ],
        ['Collection owner', owner === null ? <span class="muted">none</span> : <AddressLink raw={owner} />],
      ]}
    />
  )
}

const ITEMS_PER_PAGE = 48

const Items = ({ raw }: { readonly raw: string }) => {
  const pages = usePages(
    `items of ${raw}`,
    async (cursor, signal) => {
      const args = { collection_address: [raw], limit: ITEMS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('nft/items', args, signal)
      return { rows: result.nft_items, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Paged pages={pages} icon="globe" empty="No items yet.">
      {(rows) => (
        <ul class="nft-grid">
          {rows.map((item) => (
            <li key={item.address}>
              <NftTile item={item} hasCollection={false} />
            </li>
          ))}
        </ul>
      )}
    </Paged>
  )
}

const Owners = ({ stats }: { readonly stats: CollectionStats }) => (
  <Card>
    {stats.top_owners.length === 0 && <Empty icon="account">No owners yet.</Empty>}
    <ol class="ranking">
      {stats.top_owners.map(({ owner, items }, index) => (
        <li key={owner}>
          <span class="ranking-place muted">{index + 1}</span>
          <AddressLink raw={owner} hasKind />
          <Share part={BigInt(items)} whole={BigInt(stats.items)} label="Share of the items" />
          <span>
            {groupDigits(items)} <span class="muted">{items === 1 ? 'item' : 'items'}</span>
          </span>
        </li>
      ))}
    </ol>
  </Card>
)
