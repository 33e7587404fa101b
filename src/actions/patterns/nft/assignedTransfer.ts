import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { findBid, nftOps, readOwnershipAssigned } from '../bodies/nft.ts'
import { callContract } from '../core/callContract.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { itemOf, type NftSale, type Share } from './NftTransferData.ts'
import { nftMint } from './nftMint.ts'
import { nftTransfer } from './nftTransfer.ts'

/** An item that says by itself who owns it now: those that Telegram sells by auction do. */
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

/** An item is born with its first owner: that is no sale. */
const isMint = (previous: Block | undefined): boolean =>
  previous !== undefined && (previous.is(nftMint) || isCall(previous, nftOps.teleitemDeploy))

/** The last bid, or a message from outside after the end. */
const isPayment = (previous: Block | undefined): previous is Block =>
  previous !== undefined &&
  (previous.is(tonTransfer) || (previous.is(callContract) && previous.data.source === undefined))

/** What was paid out, in order: the part of the marketplace goes first. */
const listShares = ({ next }: Block): Block[] =>
  next
    .filter((block) => isCall(block, nftOps.fillUp))
    .sort((a, b) => (a.node.lt < b.node.lt ? -1 : a.node.lt > b.node.lt ? 1 : 0))

const toShare = (block: Block): Share => {
  const { value, destination } = messageOf(block)
  return { amount: value, address: destination }
}
