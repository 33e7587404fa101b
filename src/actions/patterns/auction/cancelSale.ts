import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { kindOf } from '../../match/Pattern.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { saleOps } from '../bodies/getgems.ts'
import { isCall } from '../core/isCall.ts'
import { nftTransfer } from '../nft/nftTransfer.ts'
import { findReturned } from './findReturned.ts'
import { nftCancelSale } from './tradeEnd.ts'

/** Only the call: the item that comes back is an action of its own. */
export const matchCancelSale: Matcher = {
  name: 'nft_cancel_sale',
  isAnchor: (block, { facts }) =>
    isCall(block, saleOps.cancelSale) && facts.of(messageOf(block).destination).sale !== undefined,
  around: { next: kindOf(nftTransfer) },
  build: ({ anchor, others }, { facts }) => {
    const { destination: contract } = messageOf(anchor)
    const { nft, marketplace } = expectPresent(facts.of(contract).sale, 'sale')
    const { newOwner, item, collection } = findReturned(others, nftTransfer, nft)
    foldBlocks(nftCancelSale, { owner: newOwner, item, collection, contract, marketplace }, [anchor])
  },
}
