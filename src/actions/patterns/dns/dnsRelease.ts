import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { orNull } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { dnsOps, findQueryId } from '../bodies/dns.ts'
import { isCall } from '../core/isCall.ts'
import { isDnsItem } from '../nft/itemKinds.ts'

export type DnsReleaseData = {
  readonly queryId: bigint | undefined
  readonly source: string | undefined
  readonly item: string | undefined
  readonly collection: string | undefined
  readonly index: bigint
  readonly value: bigint
}

/** A domain that nobody kept up was put up for auction again. */
const dnsRelease = blockKind<DnsReleaseData>({
  name: 'dns_release',
  describe: ({ data: { queryId, source, item, collection, index, value } }) => ({
    source,
    destination: item,
    details: {
      query_id: orNull(queryId),
      source: source ?? null,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      nft_item_index: String(index),
      value: String(value),
    },
  }),
})

export const matchDnsRelease: Matcher = {
  name: 'dns_release',
  isAnchor: (block, { facts }) =>
    isCall(block, dnsOps.releaseBalance) && isDnsItem(facts.of(messageOf(block).destination).nftItem),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination: item, value = 0n } = messageOf(anchor)
    const { collection, index } = expectPresent(facts.of(item).nftItem, 'domain')
    const data = { queryId: findQueryId(anchor), source, item, collection, index, value }
    foldBlocks(dnsRelease, data, [anchor], { failed: anchor.node.transaction.aborted })
  },
}
