import { callV3 } from '../fetch/requests.ts'
import { usePages } from '../live/usePolling.ts'
import { friendlyOf, tokenOf } from '../model/addressBook.ts'
import { JettonAmount } from '../parts/Amount.tsx'
import { Link } from '../route/Link.tsx'
import { imageUrl } from './imageUrl.ts'
import { collectionImageOf, collectionNameOf, NftTile } from './nftParts.tsx'
import { Paged, Picture, Views } from './parts.tsx'

const ROWS = 50

/** The tokens of the network. */
export const TokensPage = () => (
  <>
    <div class="page-head">
      <h1>Tokens</h1>
    </div>
    <Views
      label="Tokens"
      tabs={[
        { key: 'jettons', title: 'Jettons' },
        { key: 'collections', title: 'NFT collections' },
        { key: 'nfts', title: 'Latest NFTs' },
      ]}
    >
      {(view) => (
        <>
          {view === 'jettons' && <Jettons />}
          {view === 'collections' && <Collections />}
          {view === 'nfts' && <LatestItems />}
        </>
      )}
    </Views>
  </>
)

const Jettons = () => {
  const pages = usePages(
    'jettons',
    async (cursor, signal) => {
      const args = { limit: ROWS, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('jetton/masters', args, signal)
      return { rows: result.jetton_masters, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Paged pages={pages} icon="drop" empty="No jettons yet.">
      {(rows) => (
        <ul class="list is-roomy">
          {rows.map(({ address, jetton_content: content, total_supply: supply }) => {
            const info = tokenOf(address, 'jetton_masters')
            const name = info?.name ?? content?.['name'] ?? 'Unnamed jetton'
            const symbol = info?.symbol ?? content?.['symbol']
            return (
              <li key={address}>
                <span class="holding">
                  <Picture raw={address} name={symbol ?? name} url={imageUrl(address, info, content)} />
                  <span>
                    <Link to={{ page: 'jetton', key: friendlyOf(address) }}>{name}</Link>
                    <span class="holding-detail">{symbol ?? 'no symbol'}</span>
                  </span>
                </span>
                <JettonAmount value={supply} jetton={address} />
              </li>
            )
          })}
        </ul>
      )}
    </Paged>
  )
}

const Collections = () => {
  const pages = usePages(
    'collections',
    async (cursor, signal) => {
      const args = { limit: ROWS, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('nft/collections', args, signal)
      return { rows: result.nft_collections, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Paged pages={pages} icon="globe" empty="No collections yet.">
      {(rows) => (
        <ul class="list is-roomy">
          {rows.map((collection) => {
            const name = collectionNameOf(collection)
            const { address, collection_content: content } = collection
            return (
              <li key={address}>
                <span class="holding">
                  <Picture raw={address} name={name} url={collectionImageOf(collection)} />
                  <span>
                    <Link to={{ page: 'collection', key: friendlyOf(address) }}>{name}</Link>
                    <span class="holding-detail">
                      {tokenOf(address, 'nft_collections')?.description ?? content?.['description'] ?? ''}
                    </span>
                  </span>
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Paged>
  )
}

const ITEMS = 48

const LatestItems = () => {
  const pages = usePages(
    'latest items',
    async (cursor, signal) => {
      const args = { sort_by_last_transaction_lt: true, limit: ITEMS, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('nft/items', args, signal)
      return { rows: result.nft_items, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Paged pages={pages} icon="globe" empty="No NFTs yet.">
      {(rows) => (
        <ul class="nft-grid">
          {rows.map((item) => (
            <li key={item.address}>
              <NftTile item={item} hasCollection />
            </li>
          ))}
        </ul>
      )}
    </Paged>
  )
}
