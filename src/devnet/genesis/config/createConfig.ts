import { Dict, type DictType } from '../../../codec/cell/Dict.ts'
import { NO_EXTRA_CURRENCIES } from '../../../codec/tlb/CurrencyCollection.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  type ConfigParamValue,
  configDictType,
  encodeConfigParam,
} from '../../../codec/tlb/config/configParams.ts'
import { fundamentalContractsType } from '../../../codec/tlb/config/contracts.ts'
import { paramNumbersType } from '../../../codec/tlb/config/governance.ts'
import { storagePriceListType } from '../../../codec/tlb/config/prices.ts'
import { type WorkchainDescr, workchainsType } from '../../../codec/tlb/config/workchains.ts'
import { configAddress } from '../../contracts/configContract.ts'
import { electorAddress } from '../../contracts/electorContract.ts'
import { blockCreateFees, catchainConfig, consensusConfig, createValidatorSet, globalVersion } from './consensus.ts'
import {
  complaintPricing,
  criticalParams,
  electionTimes,
  mandatoryParams,
  stakeLimits,
  validatorCounts,
  votingSetup,
} from './governance.ts'
import { blockLimits, masterchainBlockLimits, sizeLimits } from './limits.ts'
import { forwardPrices, gasPrices, masterchainForwardPrices, masterchainGasPrices, storagePrices } from './prices.ts'

export type ConfigFacts = {
  readonly globalId: number
  readonly utime: number
  readonly validatorKey: Uint8Array
  readonly dnsRoot: Uint8Array | undefined
  readonly basechain: WorkchainDescr
  /** Masterchain accounts that pay no gas and may run at every block. */
  readonly fundamentalContracts: readonly Uint8Array[]
}

type ParamValues = { readonly [Id in ConfigParamId]?: ConfigParamValue<Id> | undefined }

const setOf = <K>(type: DictType<K, true>, keys: readonly K[]): Dict<K, true> =>
  Dict.of(
    type,
    keys.map((key) => [key, true] as const),
  )

const noMinter = new Uint8Array(32)

const listParams = (facts: ConfigFacts): ParamValues => ({
  0: configAddress.hash,
  1: electorAddress.hash,
  2: noMinter,
  4: facts.dnsRoot,
  7: NO_EXTRA_CURRENCIES,
  8: globalVersion,
  9: setOf(paramNumbersType, mandatoryParams),
  10: setOf(paramNumbersType, criticalParams),
  11: votingSetup,
  12: Dict.of(workchainsType, [[0, facts.basechain]]),
  13: complaintPricing,
  14: blockCreateFees,
  15: electionTimes,
  16: validatorCounts,
  17: stakeLimits,
  18: Dict.of(storagePriceListType, [[0, storagePrices]]),
  19: facts.globalId,
  20: masterchainGasPrices,
  21: gasPrices,
  22: masterchainBlockLimits,
  23: blockLimits,
  24: masterchainForwardPrices,
  25: forwardPrices,
  28: catchainConfig,
  29: consensusConfig,
  31: setOf(fundamentalContractsType, facts.fundamentalContracts),
  34: createValidatorSet(facts.validatorKey, facts.utime),
  43: sizeLimits,
})

/**
 * The configuration that a network begins with: the main network's as far as it fits one validator. It has no parameter 30,
 * so blocks are signed in the older way, which every client understands.
 */
export const createConfig = (facts: ConfigFacts): ConfigDict => {
  const cells = Object.entries(listParams(facts)).flatMap(([key, value]) => {
    const id = Number(key) as ConfigParamId
    return value === undefined ? [] : [[id, encodeConfigParam(id, value)] as const]
  })
  return Dict.of(configDictType, cells)
}
