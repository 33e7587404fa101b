import type { Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { nftOps, readReportedStatic } from '../bodies/nft.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

export type NftDiscoveryData = {
  readonly source: string | undefined
  readonly item: string | undefined
  readonly collection: string | undefined
  readonly index: bigint
}

/** An item was asked what it is, and said so. */
const nftDiscovery = blockKind<NftDiscoveryData>({
  name: 'nft_discovery',
  describe: ({ data: { source, item, collection, index } }) => ({
    source,
    details: {
      source: source ?? null,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      nft_item_index: String(index),
    },
  }),
})

export const matchNftDiscovery: Matcher = {
  name: 'nft_discovery',
  isAnchor: (block) => isCall(block, nftOps.getStaticData),
  around: { next: call(nftOps.reportStaticData) },
  build: ({ anchor, others }) => {
    const report = getCall(others, nftOps.reportStaticData)
    const { source, destination: item } = messageOf(anchor)
    foldBlocks(nftDiscovery, { source, item, ...readReportedStatic(report) }, [anchor, report])
  },
}
