import { findNftCollection } from '../../../contracts/tokens/findToken.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import type { Detector } from '../Detector.ts'
import { hasMethods } from '../hasMethods.ts'
import { commonColumns } from '../Subject.ts'
import { toContentJson } from '../toContentJson.ts'

export const nftCollection: Detector = {
  name: 'nft_collection',
  isCandidate: hasMethods('get_collection_data'),
  async detect({ run }, subject) {
    const collection = await findNftCollection(run, subject.contract.address)
    if (collection === undefined) return undefined
    const { nextItemIndex, owner, content } = collection
    return {
      nft_collections: {
        ...commonColumns(subject),
        next_item_index: nextItemIndex,
        owner_address: owner && addressKeyOf(owner),
        content: toContentJson(content),
      },
    }
  },
}
