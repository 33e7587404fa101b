import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { kindOf } from '../../match/Pattern.ts'
import { orNull } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { findQueryId } from '../bodies/dns.ts'
import { nftOps } from '../bodies/nft.ts'
import { callContract } from '../core/callContract.ts'
import { isCall } from '../core/isCall.ts'
import { isDnsItem } from '../nft/itemKinds.ts'

export type DnsPurchaseData = {
  readonly item: string
  readonly collection: string | undefined
  readonly index: bigint
  readonly newOwner: string | undefined
  readonly price: bigint
  readonly queryId: bigint | undefined
}

/** An auction of a domain is over: what was paid goes to the collection. */
const dnsPurchase = blockKind<DnsPurchaseData>({
  name: 'dns_purchase',
  describe: ({ data: { item, collection, index, newOwner, price, queryId } }) => ({
    destination: newOwner,
    details: {
      nft_collection: collection ?? null,
      nft_item: item,
      new_owner: newOwner ?? null,
      nft_item_index: String(index),
      price: String(price),
      query_id: orNull(queryId),
      payout_amount: String(price),
    },
  }),
})

export const matchDnsPurchase: Matcher = {
  name: 'dns_purchase',
  isAnchor: (block, { facts }) => isCall(block, nftOps.fillUp) && isDnsItem(facts.of(messageOf(block).source).nftItem),
  around: { previous: kindOf(callContract) },
  build: ({ anchor, others }, { facts }) => {
    const { source, value = 0n } = messageOf(anchor)
    const item = expectPresent(source, 'domain')
    const { collection, index } = expectPresent(facts.of(item).nftItem, 'domain')
    // Whoever first uses a domain after its auction is its owner.
    const { source: newOwner } = messageOf(expectPresent(others[0], 'call of the owner'))
    const data = { item, collection, index, newOwner, price: value, queryId: findQueryId(anchor) }
    foldBlocks(dnsPurchase, data, [anchor], { failed: anchor.node.transaction.aborted })
  },
}
