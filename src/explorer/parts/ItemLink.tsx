import { callV3 } from '../fetch/requests.ts'
import { createLookup } from '../live/createLookup.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { shorten } from '../model/addresses.ts'
import { Link } from '../route/Link.tsx'

/** Names of NFTs and domains. */
const useItemName = createLookup<string>(async (address) => {
  const { result } = await callV3('nft/items', { address, limit: address.length })
  return new Map(
    result.nft_items.flatMap(({ address, content }) => {
      const name = content?.['domain'] ?? content?.['name']
      return name === undefined ? [] : [[address, name] as const]
    }),
  )
})

/** The NFT or domain that something is about. */
export const ItemLink = ({ raw }: { readonly raw: string }) => {
  const friendly = friendlyOf(raw)
  return (
    <Link to={{ page: 'nft', key: friendly }} class="action-item" title={friendly}>
      {useItemName(raw) ?? `NFT ${shorten(friendly, 5, 5)}`}
    </Link>
  )
}
