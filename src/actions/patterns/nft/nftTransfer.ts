import { foldMatch, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { nftOps, readNftTransfer, readOwnershipAssigned } from '../bodies/nft.ts'
import { callContract } from '../core/callContract.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { describeNftTransfer, itemOf, type NftSale, type NftTransferData } from './NftTransferData.ts'

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

/** The sale that an item came out of, if it did: what came before must have been at its contract. */
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

/** What belongs to a purchase of what came before it. Whoever ends an auction pays nothing, and has an action of its own. */
const listPayment = (previous: Block | undefined): Block[] => {
  if (previous === undefined) return []
  if (previous.is(tonTransfer)) return endsAuction(previous.data.comment) ? [] : [previous as Block]
  return previous.is(callContract) && previous.data.source === undefined ? [previous as Block] : []
}

/** Whether a comment tells an auction to end. */
export const endsAuction = (comment: string | undefined): boolean => comment === 'finish' || comment === 'stop'
