import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { cellArgument, intArgument } from '../methods/arguments.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'
import { readTokenContent, type TokenContent } from './TokenContent.ts'
import type { NftItem } from './TokenFacts.ts'

/** As the item tells it: what its content means is for its collection to say. */
type OwnData = Omit<VouchedItem, 'content'> & { readonly individualContent: Cell }

/** An item without what it may stand for besides. */
export type VouchedItem = Omit<NftItem, 'domain'>

/** Which item of which collection a contract says to be. */
export type ItemClaim = { readonly collection: Address; readonly index: bigint }

/**
 * The item that this contract is, where the collection it names says the same. The collection is not asked again about a claim
 * that `isVouchedFor` knows.
 */
export const findVouchedItem = async (
  run: RunMethod,
  address: Address,
  isVouchedFor: (claim: ItemClaim) => boolean = () => false,
): Promise<VouchedItem | undefined> => {
  const result = await run(address, 'get_nft_data', [])
  const own = findReadable(() => readNftData(result))
  if (own === undefined) return undefined
  const { individualContent, ...item } = own
  const { collection, index } = item
  if (collection === undefined) {
    const content = findReadable(() => readTokenContent(individualContent))
    return content === undefined ? undefined : { ...item, content }
  }
  if (!isVouchedFor({ collection, index }) && !(await collectionVouches(run, collection, index, address))) {
    return undefined
  }
  const content = await findCollectionContent(run, collection, own)
  return content === undefined ? undefined : { ...item, content }
}

const readNftData = (result: MethodResult): OwnData => {
  const r = new ResultReader(result)
  return {
    kind: 'nftItem',
    initialized: r.readBool(),
    index: r.readInt(),
    collection: r.readMaybeAddress(),
    owner: r.readMaybeAddress(),
    individualContent: r.readCell(),
  }
}

const collectionVouches = async (
  run: RunMethod,
  collection: Address,
  index: bigint,
  address: Address,
): Promise<boolean> => {
  const result = await run(collection, 'get_nft_address_by_index', [intArgument(index)])
  const named = findReadable(() => new ResultReader(result).readAddress())
  return named !== undefined && addressesEqual(named, address)
}

const findCollectionContent = async (
  run: RunMethod,
  collection: Address,
  { index, individualContent }: OwnData,
): Promise<TokenContent | undefined> => {
  const stack = [intArgument(index), cellArgument(individualContent)]
  const result = await run(collection, 'get_nft_content', stack)
  return findReadable(() => readTokenContent(new ResultReader(result).readCell()))
}
