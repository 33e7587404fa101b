import { foldMatch, kindOf, type Match, type Matcher, when } from '../match/Matcher.ts'
import { orNull } from '../rows/Action.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks, MatchRefusedError } from '../tree/Block.ts'
import { nftPutOnAuction } from './auctions.ts'
import { messageOf } from './body.ts'
import { callContract, deployedAccounts, getKind, isCall, tonTransfer } from './core.ts'
import { readAuctionTerms, readChangedPrice, readSaleTerms, type SaleTerms, saleOps } from './getgems.ts'
import { type NftTransferData, nftTransfer } from './nftTransfers.ts'

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
      throw new MatchRefusedError('The contract sells another item, or for another owner.')
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

export type UpdateSaleData = Addresses<'source' | 'sale' | 'item' | 'marketplace'> & {
  readonly price: bigint
  readonly fee: bigint
  readonly royalty: bigint
}

/** A sale has a new price. */
const nftUpdateSale = blockKind<UpdateSaleData>({
  name: 'nft_update_sale',
  describe: ({ data: { source, sale, item, marketplace, price, fee, royalty } }) => ({
    source,
    destination: sale,
    moreAccounts: item === undefined ? [] : [item],
    details: {
      source: source ?? null,
      sale_contract: sale ?? null,
      nft_address: item ?? null,
      marketplace_address: marketplace ?? null,
      marketplace: null,
      full_price: String(price),
      marketplace_fee: String(fee),
      royalty_amount: String(royalty),
    },
  }),
})

export const matchUpdateSale: Matcher = {
  name: 'nft_update_sale',
  isAnchor: (block) => isCall(block, saleOps.changePrice),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination } = messageOf(anchor)
    const { nft, marketplace } = expectPresent(facts.of(destination).sale, 'sale')
    const data = { source, sale: destination, item: nft, marketplace, ...readChangedPrice(anchor) }
    foldBlocks(nftUpdateSale, data, [anchor], { failed: anchor.node.transaction.aborted })
  },
}
