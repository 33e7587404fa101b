import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { kindOf, when } from '../../match/Pattern.ts'
import { orNull } from '../../rows/format.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { readAuctionTerms, readSaleTerms, type SaleTerms } from '../bodies/getgems.ts'
import { callContract } from '../core/callContract.ts'
import { deployedAccounts } from '../core/deployedAccounts.ts'
import { getKind } from '../core/findCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import type { NftTransferData } from '../nft/NftTransferData.ts'
import { nftTransfer } from '../nft/nftTransfer.ts'
import { nftPutOnAuction } from './putOnAuction.ts'

export type PutOnSaleData = SaleTerms & {
  readonly item: string
  readonly collection: string | undefined
  readonly index: bigint
  readonly owner: string | undefined
  /** The contract that made the sale. */
  readonly listing: string | undefined
  readonly sale: string
}

/** An item was given to a contract that sells it for a price. */
const nftPutOnSale = blockKind<PutOnSaleData>({
  name: 'nft_put_on_sale',
  describe: ({ data }) => ({
    source: data.owner,
    sourceSecondary: data.listing,
    destination: data.sale,
    details: {
      nft_collection: data.collection ?? null,
      nft_item: data.item,
      nft_item_index: String(data.index),
      owner: data.owner ?? null,
      listing_address: data.listing ?? null,
      sale_address: data.sale,
      marketplace_address: null,
      full_price: String(data.price),
      marketplace_fee: orNull(data.fee),
      royalty_amount: orNull(data.royalty),
      marketplace_fee_address: data.feeAddress ?? null,
      royalty_address: data.royaltyAddress ?? null,
      marketplace: null,
    },
  }),
})

const isDeployment = (block: Block): boolean =>
  (block.is(tonTransfer) || block.is(callContract)) && deployedAccounts(block).size > 0

/** The owner gives the item to a contract that makes a sale or an auction, and passes it on to that. */
export const matchPutOnSale: Matcher = {
  name: 'nft_put_on_sale',
  isAnchor: (block) => block.is(nftTransfer),
  around: { all: [when(isDeployment), kindOf(nftTransfer)] },
  build: (match, { facts }) => {
    const { deployment, given, passedOn } = partsOf(match)
    const contract = expectPresent(messageOf(deployment).destination, 'new contract')
    if (passedOn.item !== given.item || passedOn.newOwner !== contract) {
      throw new MatchRefusedError('The item did not go to the new contract.')
    }
    const { sale, auction } = facts.of(contract)
    const known = expectPresent(sale ?? auction, 'sale or auction')
    if (known.nft !== given.item || known.owner !== given.oldOwner) {
      throw new MatchRefusedError('The contract sells another item, or for somebody else.')
    }
    const { item, collection, index } = passedOn
    const common = { item, collection, index, owner: known.owner, listing: given.newOwner }
    if (sale !== undefined) {
      foldMatch(match, nftPutOnSale, { ...common, sale: contract, ...readSaleTerms(deployment, sale.codeHash) })
    } else {
      const terms = readAuctionTerms(deployment, known.codeHash)
      foldMatch(match, nftPutOnAuction, { ...common, auction: contract, ...terms })
    }
  },
}

const partsOf = ({
  anchor,
  others,
}: Match): { deployment: Block; given: NftTransferData; passedOn: NftTransferData } => {
  const deployment = expectPresent(others.find(isDeployment), 'new contract')
  return { deployment, given: getKind([anchor], nftTransfer).data, passedOn: getKind(others, nftTransfer).data }
}
