import type { Address } from '../../primitives/Address.ts'
import { findItemDomain } from '../dns/findItemDomain.ts'
import type { RunMethod } from '../methods/RunMethod.ts'
import { findVouchedItem } from './findVouchedItem.ts'
import type { NftItem } from './TokenFacts.ts'

/** The item that this contract is, and the name that it stands for where it is one. */
export const findNftItem = async (run: RunMethod, address: Address): Promise<NftItem | undefined> => {
  const item = await findVouchedItem(run, address)
  if (item === undefined) return undefined
  return { ...item, domain: item.collection === undefined ? undefined : await findItemDomain(run, address) }
}
