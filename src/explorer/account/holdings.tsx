import { callV3, type V3Result } from '../fetch/requests.ts'
import { usePages } from '../live/usePolling.ts'
import { friendlyOf, nameOf } from '../model/addressBook.ts'
import { shorten } from '../model/addresses.ts'
import { JettonAmount, useJetton } from '../parts/Amount.tsx'
import { Badge, Card, Empty, Failure, Loading, LoadMore, Monogram } from '../parts/basics.tsx'
import { AddressLink } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'

const ITEMS_PER_PAGE = 48

export const Collectibles = ({ owner }: { readonly owner: string }) => {
  const pages = usePages(
    `collectibles of ${owner}`,
    async (cursor, signal) => {
      const more = cursor !== undefined && { cursor }
      const args = { owner_address: [owner], include_on_sale: true, limit: ITEMS_PER_PAGE, ...more }
      const { result, cursor: next } = await callV3('nft/items', args, signal)
      return { rows: result.nft_items, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading />}
      {pages.rows?.length === 0 && <Empty icon="globe">No NFTs and no domains.</Empty>}
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
        {collection?.collection_content?.['name'] ?? (collection === null ? 'no collection' : 'collection')}
      </span>
      {item.on_sale && <Badge tone="warn">on sale</Badge>}
    </Link>
  )
}

const JETTONS_PER_PAGE = 50

export const JettonHoldings = ({ owner }: { readonly owner: string }) => {
  const pages = usePages(
    `jettons of ${owner}`,
    async (cursor, signal) => {
      const args = { owner_address: [owner], limit: JETTONS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('jetton/wallets', args, signal)
      return { rows: result.jetton_wallets, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading />}
      {pages.rows?.length === 0 && <Empty icon="drop">No jettons.</Empty>}
      <ul class="list is-roomy">
        {pages.rows?.map((wallet) => (
          <li key={wallet.address}>
            <Holding {...wallet} />
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Card>
  )
}

type HoldingProps = { readonly jetton: string; readonly balance: string; readonly address: string }

const Holding = ({ jetton, balance, address }: HoldingProps) => {
  const known = useJetton(jetton)
  return (
    <>
      <span class="holding">
        <Monogram raw={jetton} text={known?.symbol ?? known?.name ?? '?'} />
        <span>
          <Link to={{ page: 'account', address: friendlyOf(jetton) }}>{known?.name ?? 'Unnamed jetton'}</Link>
          <span class="holding-detail">
            in <AddressLink raw={address} />
          </span>
        </span>
      </span>
      <JettonAmount value={balance} jetton={jetton} />
    </>
  )
}
