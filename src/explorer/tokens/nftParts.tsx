import type { V3Result } from '../fetch/requests.ts'
import { friendlyOf, tokenOf } from '../model/addressBook.ts'
import { shorten } from '../model/addresses.ts'
import { Badge } from '../parts/basics.tsx'
import { Link } from '../route/Link.tsx'
import { imageUrl } from './imageUrl.ts'
import { Picture } from './parts.tsx'

export type NftItem = V3Result<'nft/items'>['nft_items'][number]
type Collection = NonNullable<NftItem['collection']>

export const collectionNameOf = ({ address, collection_content: content }: Collection): string =>
  tokenOf(address, 'nft_collections')?.name ?? content?.['name'] ?? 'Unnamed collection'

export const collectionImageOf = ({ address, collection_content: content }: Collection): string | undefined =>
  imageUrl(address, tokenOf(address, 'nft_collections'), content)

/** What an item is called: by itself, by its domain, or by its number. */
export const itemNameOf = ({ address, content, index }: NftItem): string =>
  tokenOf(address, 'nft_items')?.name ?? content?.['domain'] ?? content?.['name'] ?? `#${shorten(index, 6, 4)}`

export const itemImageOf = ({ address, content }: NftItem): string | undefined =>
  imageUrl(address, tokenOf(address, 'nft_items'), content)

/** An item in a grid. */
export const NftTile = ({ item, hasCollection }: { readonly item: NftItem; readonly hasCollection: boolean }) => {
  const name = itemNameOf(item)
  return (
    <Link to={{ page: 'nft', key: friendlyOf(item.address) }} class="nft-tile">
      <Picture raw={item.address} name={name} url={itemImageOf(item)} class="is-square" />
      <span class="nft-tile-name">{name}</span>
      <span class="nft-tile-detail">
        {hasCollection && item.collection !== null && <span>{collectionNameOf(item.collection)}</span>}
        {!hasCollection && <span>#{shorten(item.index, 6, 4)}</span>}
        {item.on_sale && (
          <Badge tone="warn">{item.auction_contract_address === undefined ? 'on sale' : 'at auction'}</Badge>
        )}
      </span>
    </Link>
  )
}
