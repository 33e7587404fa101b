import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { kindOf } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { saleOps } from '../bodies/getgems.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { nftPurchase } from '../nft/nftPurchase.ts'
import { endsAuction, nftTransfer } from '../nft/nftTransfer.ts'
import { findReturned } from './findReturned.ts'
import { nftCancelAuction, nftFinishAuction } from './tradeEnd.ts'

const isFinish = (block: Block): boolean =>
  isCall(block, saleOps.finishAuction, saleOps.stopAuction) ||
  (block.is(tonTransfer) && endsAuction(block.data.comment))

const isCancel = (block: Block): boolean =>
  isCall(block, saleOps.cancelAuction) || (block.is(tonTransfer) && block.data.comment === 'cancel')

/** An auction was told to end, and somebody had bid. What was bought is an action of its own. */
export const matchFinishSold: Matcher = {
  name: 'nft_finish_auction',
  isAnchor: (block, { facts }) => isFinish(block) && facts.of(messageOf(block).destination).auction !== undefined,
  around: { next: kindOf(nftPurchase) },
  build: ({ anchor, others }, { facts }) => {
    const { destination: contract } = messageOf(anchor)
    const { nft } = expectPresent(facts.of(contract).auction, 'auction')
    const { newOwner, item, collection } = findReturned(others, nftPurchase, nft)
    foldBlocks(nftFinishAuction, { owner: newOwner, item, collection, contract, marketplace: undefined }, [anchor])
  },
}

/** An auction was called off, or ended without a buyer. The item that comes back is an action of its own. */
export const matchEndUnsold: Matcher = {
  name: 'nft_cancel_auction',
  isAnchor: (block, { facts }) =>
    (isFinish(block) || isCancel(block)) && facts.of(messageOf(block).destination).auction !== undefined,
  around: { next: kindOf(nftTransfer) },
  build: ({ anchor, others }, { facts }) => {
    const { destination: contract } = messageOf(anchor)
    const { nft, marketplace } = expectPresent(facts.of(contract).auction, 'auction')
    const { newOwner, item, collection } = findReturned(others, nftTransfer, nft)
    const kind = isCancel(anchor) ? nftCancelAuction : nftFinishAuction
    foldBlocks(kind, { owner: newOwner, item, collection, contract, marketplace }, [anchor])
  },
}
