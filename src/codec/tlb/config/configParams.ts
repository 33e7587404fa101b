import { Cell } from '../../cell/Cell.ts'
import type { CellReader } from '../../cell/CellReader.ts'
import { type CellWriter, sliceToCell } from '../../cell/CellWriter.ts'
import { Dict, type DictType } from '../../cell/Dict.ts'
import { cellValue, int32Key, type ValueCodec } from '../../cell/dictTypes.ts'
import { CellError } from '../../cell/errors.ts'
import { readWhole, writeWhole } from '../../cell/wholeCell.ts'
import { readGlobalVersion, writeGlobalVersion } from '../BlockInfo.ts'
import { extraCurrenciesType } from '../CurrencyCollection.ts'
import { bits256, dictOf, int32 } from '../record.ts'
import { readValidatorSet, writeValidatorSet } from '../ValidatorSet.ts'
import { jettonBridge, oracleBridge } from './bridges.ts'
import { catchainConfig, consensusConfig, newConsensusConfig } from './consensus.ts'
import { burningConfig, fundamentalContractsType, precompiledContracts, suspendedAddresses } from './contracts.ts'
import { paramNumbers, votingSetup } from './governance.ts'
import { blockLimits, sizeLimits } from './limits.ts'
import { blockCreateFees, complaintPricing, forwardPrices, gasPrices, mintPrices, storagePriceList } from './prices.ts'
import {
  electionTimes,
  misbehaviourPunishment,
  signedTempKeys,
  stakeLimits,
  validatorCounts,
  validatorRegistry,
} from './validators.ts'
import { workchainsType } from './workchains.ts'

/** The parameters of the network by number, each in a cell of its own. */
export type ConfigDict = Dict<number, Cell>

export type ConfigParams = { readonly configAddr: Uint8Array; readonly config: ConfigDict }

export const configDictType: DictType<number, Cell> = { key: int32Key, value: cellValue }

/** _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams; */
export const readConfigParams = (r: CellReader): ConfigParams => ({
  configAddr: r.readBytes(32),
  config: new Dict(configDictType, r.readRefCell()),
})

export const writeConfigParams = (w: CellWriter, { configAddr, config }: ConfigParams): void => {
  const { root } = config
  if (root === undefined) throw new CellError('A configuration has at least one parameter, this one has none.')
  w.writeBytes(configAddr).writeRef(root instanceof Cell ? root : sliceToCell(root))
}

/** How one parameter is read and written. */
type ConfigParamCodec<Name extends string, T> = ValueCodec<T> & { readonly name: Name }

const param = <Name extends string, T>(name: Name, { read, write }: ValueCodec<T>): ConfigParamCodec<Name, T> => ({
  name,
  read,
  write,
})

const validators = { read: readValidatorSet, write: writeValidatorSet }
const globalVersion = { read: readGlobalVersion, write: writeGlobalVersion }

/** Every parameter whose layout is known, by number. */
export const configParams = {
  /**
   * The id of a masterchain account:
   * _ config_addr:bits256 = ConfigParam 0; _ elector_addr:bits256 = ConfigParam 1; _ minter_addr:bits256 = ConfigParam 2;
   * _ fee_collector_addr:bits256 = ConfigParam 3; _ dns_root_addr:bits256 = ConfigParam 4;
   */
  0: param('configAddress', bits256),
  1: param('electorAddress', bits256),
  2: param('minterAddress', bits256),
  3: param('feeCollectorAddress', bits256),
  4: param('dnsRootAddress', bits256),
  5: param('burningConfig', burningConfig),
  6: param('mintPrices', mintPrices),
  7: param('toMint', dictOf(extraCurrenciesType)),
  8: param('globalVersion', globalVersion),
  9: param('mandatoryParams', paramNumbers),
  10: param('criticalParams', paramNumbers),
  11: param('votingSetup', votingSetup),
  12: param('workchains', dictOf(workchainsType)),
  13: param('complaintPricing', complaintPricing),
  14: param('blockCreateFees', blockCreateFees),
  15: param('electionTimes', electionTimes),
  16: param('validatorCounts', validatorCounts),
  17: param('stakeLimits', stakeLimits),
  18: param('storagePrices', storagePriceList),
  19: param('globalId', int32),
  20: param('masterchainGasPrices', gasPrices),
  21: param('gasPrices', gasPrices),
  22: param('masterchainBlockLimits', blockLimits),
  23: param('blockLimits', blockLimits),
  24: param('masterchainForwardPrices', forwardPrices),
  25: param('forwardPrices', forwardPrices),
  28: param('catchainConfig', catchainConfig),
  29: param('consensusConfig', consensusConfig),
  30: param('newConsensusConfig', newConsensusConfig),
  31: param('fundamentalContracts', dictOf(fundamentalContractsType)),
  32: param('previousValidators', validators),
  33: param('previousTemporaryValidators', validators),
  34: param('currentValidators', validators),
  35: param('currentTemporaryValidators', validators),
  36: param('nextValidators', validators),
  37: param('nextTemporaryValidators', validators),
  39: param('signedTempKeys', signedTempKeys),
  40: param('misbehaviourPunishment', misbehaviourPunishment),
  43: param('sizeLimits', sizeLimits),
  44: param('suspendedAddresses', suspendedAddresses),
  45: param('precompiledContracts', precompiledContracts),
  46: param('validatorRegistry', validatorRegistry),
  71: param('ethereumBridge', oracleBridge),
  72: param('bnbBridge', oracleBridge),
  73: param('polygonBridge', oracleBridge),
  79: param('ethereumTokenBridge', jettonBridge),
  81: param('bnbTokenBridge', jettonBridge),
  82: param('polygonTokenBridge', jettonBridge),
} as const

export type ConfigParamId = keyof typeof configParams

export type ConfigParamValue<Id extends ConfigParamId> = ReturnType<(typeof configParams)[Id]['read']>

const codecOf = (id: ConfigParamId): ValueCodec<unknown> => configParams[id] as ValueCodec<unknown>

/** Writes a parameter into the cell that stands for it in the configuration. */
export const encodeConfigParam = <Id extends ConfigParamId>(id: Id, value: ConfigParamValue<Id>): Cell =>
  writeWhole(codecOf(id).write, value)

/** The value of one parameter of a configuration, or `undefined` where it has none. A malformed one is an error here. */
export const findConfigParam = <Id extends ConfigParamId>(
  config: ConfigDict,
  id: Id,
): ConfigParamValue<Id> | undefined => {
  const cell = config.find(id)
  if (cell === undefined) return undefined
  return readWhole(cell, codecOf(id).read, `Configuration parameter ${id}`) as ConfigParamValue<Id>
}
