import { expectPresent } from '../../match/MatchRefusedError.ts'
import type { Block, BlockKind } from '../../tree/Block.ts'
import type { NftTransferData } from '../nft/NftTransferData.ts'

/** How the item of a sale or an auction left it. */
export const findReturned = (
  blocks: readonly Block[],
  kind: BlockKind<NftTransferData>,
  item: string | undefined,
): NftTransferData => {
  const left = blocks.filter((block) => block.is(kind)).map(({ data }) => data)
  return expectPresent(
    left.find((data) => data.item === item),
    'transfer of the item',
  )
}
