import type { LiveNode } from '../../chain/LiveChain.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { AccountReading } from './readAccount.ts'

const suspendedAddressesParam = 44

/** Whether the configuration says, at the time of the account's state, that the account may not be activated. */
export const isSuspended = async (
  node: LiveNode,
  address: Address,
  { block, genUtime }: AccountReading,
): Promise<boolean> => {
  const list = await getSuspended(node, block)
  return list !== undefined && genUtime < list.suspendedUntil && list.addresses.find(address) !== undefined
}

type Suspended = ReturnType<typeof findConfigParam<typeof suspendedAddressesParam>>

/** By the block itself: of one block, as of the newest, it is asked again and again. */
const lists = new WeakMap<BlockIdExt, Promise<Suspended>>()

const getSuspended = (node: LiveNode, block: BlockIdExt): Promise<Suspended> => {
  const known = lists.get(block)
  if (known !== undefined) return known
  const list = node
    .getConfig([suspendedAddressesParam], block)
    .then((config) => findConfigParam(config, suspendedAddressesParam))
  lists.set(block, list)
  list.catch(() => lists.delete(block))
  return list
}
