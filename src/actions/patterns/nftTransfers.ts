import type { Cell } from '../../codec/cell/Cell.ts'
import { call, foldMatch, type MatchContext, type Matcher } from '../match/Matcher.ts'
import { formatBoc, orNull } from '../rows/Action.ts'
import type { NftItemFacts } from '../trace/AccountFacts.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { callContract, findCall, insertEmpty, isCall, type TonTransferData, tonTransfer } from './core.ts'
import type { Payload } from './jettons.ts'
import { findBid, nftMint, nftOps, readNftTransfer, readOwnershipAssigned } from './nfts.ts'

/** The sale of an item. */
type NftSale = {
  readonly marketplace: 'getgems' | 'fragment'
  readonly marketplaceAddress: string | undefined
  readonly price: bigint | undefined
  /** The seller, where the sale contract was the owner in between. */
  readonly realOldOwner: string | undefined
}

/** A payout of a sale. */
type Share = { readonly amount: bigint | undefined; readonly address: string | undefined }

export type Payout = Share & {
  /** Only where it is known to have been able to carry one. */
  readonly comment?: { readonly text: string | undefined; readonly isEncrypted: boolean }
}

export type NftTransferData = Addresses<'collection' | 'oldOwner' | 'newOwner' | 'response'> & {
  readonly item: string
  readonly index: bigint
  readonly queryId: bigint
  readonly customPayload: Cell | undefined
  readonly forwardAmount: bigint | undefined
  readonly forward: Payload | undefined
  /** `undefined` where it was given away. */
  readonly sale: NftSale | undefined
  readonly payout: Payout | undefined
  readonly royalty: Share | undefined
}

/** An item as patterns keep it. */
const itemOf = (item: string, { collection, index }: NftItemFacts) => ({ item, collection, index })

const describeNftTransfer = (data: NftTransferData) => {
  const { oldOwner, newOwner, forward, sale, payout, royalty } = data
  return {
    source: oldOwner,
    destination: newOwner,
    details: {
      nft_collection: data.collection ?? null,
      nft_item: data.item,
      nft_item_index: String(data.index),
      old_owner: oldOwner,
      new_owner: newOwner ?? null,
      is_purchase: sale !== undefined,
      price: sale?.price?.toString(),
      query_id: String(data.queryId),
      response_destination: data.response ?? null,
      custom_payload: formatBoc(data.customPayload),
      forward_payload: formatBoc(forward?.cell),
      forward_amount: orNull(data.forwardAmount),
      comment: forward?.comment ?? null,
      is_encrypted_comment: forward?.isEncrypted ?? null,
      marketplace: null,
      real_old_owner: sale?.realOldOwner ?? null,
      marketplace_address: sale?.marketplaceAddress ?? null,
      payout_amount: orNull(payout?.amount),
      payout_address: payout?.address ?? null,
      payout_comment: payout?.comment?.text ?? null,
      payout_comment_encrypted: payout?.comment?.isEncrypted ?? null,
      payout_comment_encoded: payout?.comment?.isEncrypted ?? null,
      royalty_amount: orNull(royalty?.amount),
      royalty_address: royalty?.address ?? null,
    },
  }
}

/** An item from one owner to another. */
export const nftTransfer = blockKind<NftTransferData>({
  name: 'nft_transfer',
  isClosed: true,
  describe: ({ data }) => describeNftTransfer(data),
})

export const matchNftTransfer: Matcher = {
  name: 'nft_transfer',
  isAnchor: (block) => isCall(block, nftOps.transfer),
  around: { next: call([nftOps.ownershipAssigned, nftOps.excesses], { optional: true }) },
  build: (match, context) => {
    const { anchor, others } = match
    const item = anchor.node.transaction.account
    const known = expectPresent(context.facts.of(item).nftItem, 'item')
    const body = readNftTransfer(anchor)
    const assigned = findCall(others, nftOps.ownershipAssigned)
    const oldOwner = assigned === undefined ? messageOf(anchor).source : readOwnershipAssigned(assigned).previousOwner
    const sale = findSale(anchor, item, body.newOwner, context)
    const data = { ...body, ...itemOf(item, known), oldOwner, sale, payout: undefined, royalty: undefined }
    const payment = sale === undefined ? [] : listPayment(anchor.previous)
    foldMatch({ anchor, others: [...others, ...payment] }, nftTransfer, data, { failed: anchor.failed })
  },
}

/** The sale that an item left, if any: the block before must be at the sale contract. */
const findSale = (
  { previous }: Block,
  item: string,
  newOwner: string | undefined,
  { facts }: MatchContext,
): NftSale | undefined => {
  if (previous === undefined || previous.nodes.length === 0) return undefined
  const { account } = previous.node.transaction
  const { sale, auction } = facts.of(account)
  const isPaid = previous.is(tonTransfer) && previous.data.source === newOwner
  const found = (isPaid ? sale : undefined) ?? auction
  if (found?.nft !== item || found.owner === newOwner) return undefined
  return {
    marketplace: 'getgems',
    marketplaceAddress: found.marketplace,
    price: 'price' in found ? found.price : found.lastBid,
    realOldOwner: found.owner,
  }
}

/** The blocks before the transfer that belong to the purchase. Ending an auction costs nothing and is an action of its own. */
const listPayment = (previous: Block | undefined): Block[] => {
  if (previous === undefined) return []
  if (previous.is(tonTransfer)) return endsAuction(previous.data.comment) ? [] : [previous as Block]
  return previous.is(callContract) && previous.data.source === undefined ? [previous as Block] : []
}

/** Whether a comment ends an auction. */
export const endsAuction = (comment: string | undefined): boolean => comment === 'finish' || comment === 'stop'

/** An item that announces its new owner itself, as Telegram auction items do. */
export const matchAssignedTransfer: Matcher = {
  name: 'nft_transfer without a request',
  isAnchor: (block) => isCall(block, nftOps.ownershipAssigned),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination: newOwner } = messageOf(anchor)
    const item = expectPresent(source, 'item')
    const known = expectPresent(facts.of(item).nftItem, 'item')
    const { queryId, previousOwner, forward } = readOwnershipAssigned(anchor)
    const price = findBid(forward)
    const { previous } = anchor
    const payment = price === undefined || !isPayment(previous) ? [] : [previous]
    const shares = payment.flatMap(listShares)
    const [royalty, payout] = shares.length > 1 ? shares : [undefined, shares[0]]
    const data = {
      ...itemOf(item, known),
      oldOwner: previousOwner,
      newOwner,
      queryId,
      response: undefined,
      customPayload: undefined,
      forwardAmount: undefined,
      forward,
      sale: price === undefined || isMint(previous) ? undefined : toSale(price),
      payout: payout && toShare(payout),
      royalty: royalty && toShare(royalty),
    }
    foldBlocks(nftTransfer, data, [anchor, ...payment, ...shares])
  },
}

const toSale = (price: bigint): NftSale => ({
  marketplace: 'fragment',
  marketplaceAddress: undefined,
  price,
  realOldOwner: undefined,
})

/** Minting an item to its first owner is not a sale. */
const isMint = (previous: Block | undefined): boolean =>
  previous !== undefined && (previous.is(nftMint) || isCall(previous, nftOps.teleitemDeploy))

/** The last bid, or an external-in message after the end. */
const isPayment = (previous: Block | undefined): previous is Block =>
  previous !== undefined &&
  (previous.is(tonTransfer) || (previous.is(callContract) && previous.data.source === undefined))

/** The payouts in order; the marketplace is first. */
const listShares = ({ next }: Block): Block[] =>
  next
    .filter((block) => isCall(block, nftOps.fillUp))
    .sort((a, b) => (a.node.lt < b.node.lt ? -1 : a.node.lt > b.node.lt ? 1 : 0))

const toShare = (block: Block): Share => {
  const { value, destination } = messageOf(block)
  return { amount: value, address: destination }
}

/** An item bought on a marketplace, with the payout of its seller. */
export const nftPurchase = blockKind<NftTransferData>({
  name: 'nft_purchase',
  describe: ({ data }) => describeNftTransfer(data),
})

export const matchNftPurchase: Matcher = {
  name: 'nft_purchase',
  isAnchor: (block) =>
    block.is(nftTransfer) &&
    block.data.sale?.marketplace === 'getgems' &&
    block.data.sale.realOldOwner !== undefined &&
    findPayout(block) !== undefined,
  around: {},
  build: ({ anchor }) => {
    const payout = findPayout(anchor)
    if (payout === undefined || !anchor.is(nftTransfer)) return
    const { value, destination, comment, encrypted } = payout.data
    const data = {
      ...anchor.data,
      payout: { amount: value, address: destination, comment: { text: comment, isEncrypted: encrypted } },
      royalty: undefined,
    }
    const { previous } = anchor
    const parts = [anchor as Block, payout as Block]
    const isSibling = previous !== undefined && payout.previous === previous
    foldBlocks(nftPurchase, data, isSibling ? [...parts, insertEmpty(previous, parts)] : parts)
  },
}

/** The payout of the seller: after the item, or beside it if a message ended the auction. */
const findPayout = (block: Block): Block<TonTransferData> | undefined => {
  if (!block.is(nftTransfer)) return undefined
  const seller = block.data.sale?.realOldOwner
  const { previous } = block
  const isEnded = previous?.is(tonTransfer) === true && endsAuction(previous.data.comment)
  const candidates: readonly Block[] = isEnded ? previous.next : block.next
  for (const next of candidates) {
    if (next.is(tonTransfer) && next.container === undefined && next.data.destination === seller) return next
  }
  return undefined
}
