import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { configDictType, encodeConfigParam, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { fundamentalContractsType } from '../../codec/tlb/config/contracts.ts'
import type { Address } from '../../primitives/Address.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { ConfigBags } from '../messages.ts'
import { fitConfig } from './fitConfig.ts'
import { encodeConfig } from './leanConfig.ts'

/** A configuration as workers take it. */
export type PreparedConfig = {
  /** Names it: the hash of its root. */
  readonly key: string
  readonly bags: ConfigBags
  readonly version: number
  /** The account of the configuration contract; `undefined` where the configuration names it as special anyway. */
  readonly unlistedContract: Uint8Array | undefined
}

/** Prepares configurations and keeps those used last. */
export class PreparedConfigs {
  private readonly prepared = new LruCache<PreparedConfig>(8)

  get(config: Cell): PreparedConfig {
    const key = toHex(config.hash())
    const known = this.prepared.find(key)
    if (known !== undefined) return known
    const made = prepareConfig(key, config)
    this.prepared.set(key, made)
    return made
  }

  /**
   * For transactions of this account. Nodes count the configuration contract among the special ones without its being listed,
   * but the emulator is not told which it is: for that account alone it is added to the list.
   */
  getFor(config: Cell, { workchain, hash }: Address): PreparedConfig {
    const prepared = this.get(config)
    const { unlistedContract } = prepared
    if (workchain !== masterchain || unlistedContract === undefined || !bytesEqual(hash, unlistedContract)) {
      return prepared
    }
    const key = `${prepared.key} special`
    const known = this.prepared.find(key)
    if (known !== undefined) return known
    const made = prepareConfig(key, listContract(config, hash))
    this.prepared.set(key, made)
    return made
  }
}

const prepareConfig = (key: string, config: Cell): PreparedConfig => {
  const params = new Dict(configDictType, config)
  const contract = findConfigParam(params, 0)
  const isListed = contract === undefined || findConfigParam(params, 31)?.find(contract) === true
  return {
    key,
    bags: encodeConfig(fitConfig(config)),
    version: findConfigParam(params, 8)?.version ?? 0,
    unlistedContract: isListed ? undefined : contract,
  }
}

const listContract = (config: Cell, contract: Uint8Array): Cell => {
  const params = new Dict(configDictType, config)
  const listed = findConfigParam(params, 31) ?? new Dict(fundamentalContractsType)
  return params.set(31, encodeConfigParam(31, listed.set(contract, true))).root as Cell
}
