import type { LiveNode } from '../../chain/LiveChain.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import type { Address } from '../../primitives/Address.ts'
import type { AccountReading } from './readAccount.ts'

const suspendedAddressesParam = 44

/** Whether the configuration says, at the time of the account's state, that the account may not be activated. */
export const isSuspended = async (
  node: LiveNode,
  address: Address,
  { block, genUtime }: AccountReading,
): Promise<boolean> => {
  const config = await node.getConfig([suspendedAddressesParam], block)
  const list = findConfigParam(config, suspendedAddressesParam)
  return list !== undefined && genUtime < list.suspendedUntil && list.addresses.find(address) !== undefined
}
