import { forwardFee } from '../../../chain/fees/forwardFee.ts'
import { measureMessage } from '../../../chain/fees/measureMessage.ts'
import { storageFee } from '../../../chain/fees/storageFee.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import type { ConfigDict } from '../../../codec/tlb/ConfigParams.ts'
import { type ConfigParamId, type ConfigParamValue, findConfigParam } from '../../../codec/tlb/config/configParams.ts'
import type { StorageInfo } from '../../../codec/tlb/StorageInfo.ts'
import type { Address } from '../../../primitives/Address.ts'
import { masterchain } from '../../../primitives/BlockId.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import { NodeClientError } from '../NodeClientError.ts'

/** What is taken of an account before its contract runs. */
export type FeesBefore = { readonly inForward: bigint; readonly storage: bigint }

/** What an external message costs an account whatever its contract makes of it, in nanograms. */
export const feesBefore = (
  config: ConfigDict,
  { workchain, hash }: Address,
  storage: StorageInfo,
  message: Cell,
  now: number,
): FeesBefore => {
  const isMasterchain = workchain === masterchain
  if (isMasterchain && isSpecial(config, hash)) return { inForward: 0n, storage: 0n }
  const prices = [...getParam(config, 18).entries()].map(([, price]) => price)
  return {
    inForward: forwardFee(getParam(config, isMasterchain ? 24 : 25), measureMessage(message)),
    storage: storageFee(prices, storage, workchain, now),
  }
}

/** What gas costs where hardly any is used. */
export const flatGasPrice = (config: ConfigDict, { workchain }: Address): bigint =>
  getParam(config, workchain === masterchain ? 20 : 21).flat?.price ?? 0n

/** Contracts that the network itself needs pay nothing. */
const isSpecial = (config: ConfigDict, hash: Uint8Array): boolean => {
  const configContract = findConfigParam(config, 0)
  if (configContract !== undefined && bytesEqual(configContract, hash)) return true
  return findConfigParam(config, 31)?.find(hash) === true
}

const getParam = <Id extends ConfigParamId>(config: ConfigDict, id: Id): ConfigParamValue<Id> => {
  const value = findConfigParam(config, id)
  if (value === undefined) throw new NodeClientError(`The configuration has no parameter ${id}`)
  return value
}
