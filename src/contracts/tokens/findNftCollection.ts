import type { Address } from '../../primitives/Address.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'
import { readTokenContent } from './TokenContent.ts'
import type { NftCollection } from './TokenFacts.ts'

/** The collection that this contract is, if it is one. */
export const findNftCollection = async (run: RunMethod, address: Address): Promise<NftCollection | undefined> => {
  const result = await run(address, 'get_collection_data', [])
  return findReadable(() => readCollectionData(result))
}

const readCollectionData = (result: MethodResult): NftCollection => {
  const r = new ResultReader(result)
  return {
    kind: 'nftCollection',
    nextItemIndex: r.readInt(),
    content: readTokenContent(r.readCell()),
    owner: r.readMaybeAddress(),
  }
}
