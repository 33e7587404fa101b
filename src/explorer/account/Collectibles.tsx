import { askV3, type V3Result } from '../fetch/askV3.ts'
import { usePages } from '../live/usePages.ts'
import { friendlyOf, nameOf } from '../model/addressBook.ts'
import { shorten } from '../model/Hash.ts'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { LoadMore } from '../parts/LoadMore.tsx'
import { Monogram } from '../parts/Monogram.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { Link } from '../route/Link.tsx'

const PAGE = 48

export const Collectibles = ({ owner }: { readonly owner: string }) => {
  const pages = usePages(
    `collectibles of ${owner}`,
    async (cursor, signal) => {
      const more = cursor !== undefined && { cursor }
      const args = { owner_address: [owner], include_on_sale: true, limit: PAGE, ...more }
      const { result, cursor: next } = await askV3('nft/items', args, signal)
      return { rows: result.nft_items, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading />}
      {pages.rows?.length === 0 && <Empty icon="globe">This account owns no NFTs and no names.</Empty>}
      <ul class="tiles">
        {pages.rows?.map((item) => (
          <li key={item.address}>
            <Collectible item={item} />
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Card>
  )
}

const Collectible = ({ item }: { readonly item: V3Result<'nft/items'>['nft_items'][number] }) => {
  const { address, content, collection, index } = item
  const name = content?.['domain'] ?? content?.['name'] ?? nameOf(address) ?? `No. ${shorten(index, 6, 4)}`
  return (
    <Link to={{ page: 'account', address: friendlyOf(address) }} class="tile">
      <Monogram raw={address} text={name} />
      <span class="tile-name">{name}</span>
      <span class="tile-detail">
        {collection?.collection_content?.['name'] ?? (collection === null ? 'on its own' : 'a collection')}
      </span>
      {item.on_sale && <Badge tone="warn">for sale</Badge>}
    </Link>
  )
}
