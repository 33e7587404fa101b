import type { Matcher } from '../../match/Matcher.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { insertEmpty } from '../../tree/insertEmpty.ts'
import { type TonTransferData, tonTransfer } from '../core/tonTransfer.ts'
import { describeNftTransfer, type NftTransferData } from './NftTransferData.ts'
import { endsAuction, nftTransfer } from './nftTransfer.ts'

/** An item that was bought on a marketplace, with what its seller got. */
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

/** What was sent to the seller: after the item, or beside it where somebody told an auction to end. */
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
