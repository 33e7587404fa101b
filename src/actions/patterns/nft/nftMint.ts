import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { deployedAccounts } from '../core/deployedAccounts.ts'

export type NftMintData = {
  readonly item: string
  /** Who sent the message that made it. */
  readonly source: string | undefined
  readonly collection: string | undefined
  readonly index: bigint
  /** The opcode of the message that made it. */
  readonly opcode: number | undefined
}

/** A new item. */
export const nftMint = blockKind<NftMintData>({
  name: 'nft_mint',
  isClosed: true,
  describe: ({ data: { item, source, collection, index } }) => ({
    source,
    destination: item,
    details: {
      owner: source,
      nft_item: item,
      nft_collection: collection ?? null,
      nft_item_index: String(index),
    },
  }),
})

export const matchNftMint: Matcher = {
  name: 'nft_mint',
  isAnchor: (block, { facts }) => {
    const deployed = [...deployedAccounts(block)]
    return deployed.length === 1 && facts.of(deployed[0]).nftItem !== undefined
  },
  around: {},
  build: ({ anchor }, { facts }) => {
    const [item] = deployedAccounts(anchor)
    const known = expectPresent(facts.of(item).nftItem, 'item')
    const { message } = anchor.node
    const data = {
      item: expectPresent(item, 'new account'),
      source: message?.source,
      collection: known.collection,
      index: known.index,
      opcode: message?.opcode,
    }
    foldBlocks(nftMint, data, [anchor])
  },
}
