import { CodedError } from '../../../primitives/errors.ts'
import { Cell } from '../../cell/Cell.ts'
import type { CellReader } from '../../cell/CellReader.ts'
import { type CellWriter, sliceToCell } from '../../cell/CellWriter.ts'
import { Dict, type DictType, writeDict } from '../../cell/Dict.ts'
import { cellValue, int32Key } from '../../cell/dictTypes.ts'
import { CellError } from '../../cell/errors.ts'
import { readWhole, writeWhole } from '../../cell/wholeCell.ts'
import { readGlobalVersion, writeGlobalVersion } from '../BlockInfo.ts'
import { type ExtraCurrencies, readExtraCurrencies } from '../CurrencyCollection.ts'
import { readValidatorSet, type ValidatorSet, writeValidatorSet } from '../ValidatorSet.ts'
import {
  type JettonBridge,
  type OracleBridge,
  readJettonBridge,
  readOracleBridge,
  writeJettonBridge,
  writeOracleBridge,
} from './bridges.ts'
import {
  type NewConsensusConfig,
  readCatchainConfig,
  readConsensusConfig,
  readNewConsensusConfig,
  type SimplexConfig,
  writeCatchainConfig,
  writeConsensusConfig,
  writeNewConsensusConfig,
} from './consensus.ts'
import {
  readBurningConfig,
  readConfigAddress,
  readFundamentalContracts,
  readPrecompiledContracts,
  readSuspendedAddresses,
  type SuspendedAddresses,
  writeBurningConfig,
  writeConfigAddress,
  writeFundamentalContracts,
  writePrecompiledContracts,
  writeSuspendedAddresses,
} from './contracts.ts'
import {
  readGlobalId,
  readParamNumbers,
  readVotingSetup,
  writeGlobalId,
  writeParamNumbers,
  writeVotingSetup,
} from './governance.ts'
import { readBlockLimits, readSizeLimits, writeBlockLimits, writeSizeLimits } from './limits.ts'
import {
  readBlockCreateFees,
  readComplaintPricing,
  readForwardPrices,
  readGasPrices,
  readMintPrices,
  readStoragePriceList,
  writeBlockCreateFees,
  writeComplaintPricing,
  writeForwardPrices,
  writeGasPrices,
  writeMintPrices,
  writeStoragePriceList,
} from './prices.ts'
import {
  readElectionTimes,
  readMisbehaviourPunishment,
  readSignedTempKeys,
  readStakeLimits,
  readValidatorCounts,
  readValidatorRegistry,
  writeElectionTimes,
  writeMisbehaviourPunishment,
  writeSignedTempKeys,
  writeStakeLimits,
  writeValidatorCounts,
  writeValidatorRegistry,
} from './validators.ts'
import { readWorkchains, writeWorkchains } from './workchains.ts'

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

type Walkable = { forEach(visit: () => void): void }

/** How one parameter is read and written. */
export type ConfigParamCodec<Name extends string, T> = {
  readonly name: Name
  read(r: CellReader): T
  write(w: CellWriter, value: T): void
  /** The dictionaries in the value, which reading it leaves unread. */
  dicts(value: T): readonly Walkable[]
}

type Reader<T> = (r: CellReader) => T
type Writer<T> = (w: CellWriter, value: T) => void

const plain = <Name extends string, T>(name: Name, read: Reader<T>, write: Writer<T>): ConfigParamCodec<Name, T> => ({
  name,
  read,
  write,
  dicts: () => [],
})

const dict = <Name extends string, T extends Walkable>(
  name: Name,
  read: Reader<T>,
  write: Writer<T>,
): ConfigParamCodec<Name, T> => ({ name, read, write, dicts: (value) => [value] })

const address = <Name extends string>(name: Name) => plain(name, readConfigAddress, writeConfigAddress)
const gasPrices = <Name extends string>(name: Name) => plain(name, readGasPrices, writeGasPrices)
const blockLimits = <Name extends string>(name: Name) => plain(name, readBlockLimits, writeBlockLimits)
const forwardPrices = <Name extends string>(name: Name) => plain(name, readForwardPrices, writeForwardPrices)

const validators = <Name extends string>(name: Name): ConfigParamCodec<Name, ValidatorSet> => ({
  name,
  read: readValidatorSet,
  write: writeValidatorSet,
  dicts: ({ list }) => [list],
})

const oracleBridge = <Name extends string>(name: Name): ConfigParamCodec<Name, OracleBridge> => ({
  name,
  read: readOracleBridge,
  write: writeOracleBridge,
  dicts: ({ oracles }) => [oracles],
})

const jettonBridge = <Name extends string>(name: Name): ConfigParamCodec<Name, JettonBridge> => ({
  name,
  read: readJettonBridge,
  write: writeJettonBridge,
  dicts: ({ oracles }) => [oracles],
})

const newConsensus: ConfigParamCodec<'newConsensusConfig', NewConsensusConfig> = {
  name: 'newConsensusConfig',
  read: readNewConsensusConfig,
  write: writeNewConsensusConfig,
  dicts: ({ masterchain, shards }) => [...simplexDicts(masterchain), ...simplexDicts(shards)],
}

const simplexDicts = (config: SimplexConfig | undefined): readonly Walkable[] =>
  config?.kind === 'v2' ? [config.noncriticalParams] : []

const suspendedAddresses: ConfigParamCodec<'suspendedAddresses', SuspendedAddresses> = {
  name: 'suspendedAddresses',
  read: readSuspendedAddresses,
  write: writeSuspendedAddresses,
  dicts: ({ addresses }) => [addresses],
}

const writeToMint = (w: CellWriter, currencies: ExtraCurrencies): void => writeDict(w, currencies)

/** Every parameter whose layout is known, by number. */
export const configParams = {
  0: address('configAddress'),
  1: address('electorAddress'),
  2: address('minterAddress'),
  3: address('feeCollectorAddress'),
  4: address('dnsRootAddress'),
  5: plain('burningConfig', readBurningConfig, writeBurningConfig),
  6: plain('mintPrices', readMintPrices, writeMintPrices),
  7: dict('toMint', readExtraCurrencies, writeToMint),
  8: plain('globalVersion', readGlobalVersion, writeGlobalVersion),
  9: dict('mandatoryParams', readParamNumbers, writeParamNumbers),
  10: dict('criticalParams', readParamNumbers, writeParamNumbers),
  11: plain('votingSetup', readVotingSetup, writeVotingSetup),
  12: dict('workchains', readWorkchains, writeWorkchains),
  13: plain('complaintPricing', readComplaintPricing, writeComplaintPricing),
  14: plain('blockCreateFees', readBlockCreateFees, writeBlockCreateFees),
  15: plain('electionTimes', readElectionTimes, writeElectionTimes),
  16: plain('validatorCounts', readValidatorCounts, writeValidatorCounts),
  17: plain('stakeLimits', readStakeLimits, writeStakeLimits),
  18: dict('storagePrices', readStoragePriceList, writeStoragePriceList),
  19: plain('globalId', readGlobalId, writeGlobalId),
  20: gasPrices('masterchainGasPrices'),
  21: gasPrices('gasPrices'),
  22: blockLimits('masterchainBlockLimits'),
  23: blockLimits('blockLimits'),
  24: forwardPrices('masterchainForwardPrices'),
  25: forwardPrices('forwardPrices'),
  28: plain('catchainConfig', readCatchainConfig, writeCatchainConfig),
  29: plain('consensusConfig', readConsensusConfig, writeConsensusConfig),
  30: newConsensus,
  31: dict('fundamentalContracts', readFundamentalContracts, writeFundamentalContracts),
  32: validators('previousValidators'),
  33: validators('previousTemporaryValidators'),
  34: validators('currentValidators'),
  35: validators('currentTemporaryValidators'),
  36: validators('nextValidators'),
  37: validators('nextTemporaryValidators'),
  39: dict('signedTempKeys', readSignedTempKeys, writeSignedTempKeys),
  40: plain('misbehaviourPunishment', readMisbehaviourPunishment, writeMisbehaviourPunishment),
  43: plain('sizeLimits', readSizeLimits, writeSizeLimits),
  44: suspendedAddresses,
  45: dict('precompiledContracts', readPrecompiledContracts, writePrecompiledContracts),
  46: plain('validatorRegistry', readValidatorRegistry, writeValidatorRegistry),
  71: oracleBridge('ethereumBridge'),
  72: oracleBridge('bnbBridge'),
  73: oracleBridge('polygonBridge'),
  79: jettonBridge('ethereumTokenBridge'),
  81: jettonBridge('bnbTokenBridge'),
  82: jettonBridge('polygonTokenBridge'),
} as const

export type ConfigParamId = keyof typeof configParams

export type ConfigParamValue<Id extends ConfigParamId> = ReturnType<(typeof configParams)[Id]['read']>

/** A parameter that could be read; `id` or `name` tells the type of its value. */
export type KnownConfigParam = {
  [Id in ConfigParamId]: {
    readonly kind: 'known'
    readonly id: Id
    readonly name: (typeof configParams)[Id]['name']
    readonly value: ConfigParamValue<Id>
  }
}[ConfigParamId]

/** A parameter of an unknown number (`error` is absent), or one that does not read as its number says. */
export type RawConfigParam = {
  readonly kind: 'raw'
  readonly id: number
  readonly cell: Cell
  readonly error: CodedError | undefined
}

type AnyCodec = ConfigParamCodec<string, unknown>

const codecOf = (id: ConfigParamId): AnyCodec => configParams[id] as AnyCodec

/** Whether the layout of this parameter is known. */
const isConfigParamId = (id: number): id is ConfigParamId => Object.hasOwn(configParams, id)

/** Reads a parameter whole, its dictionaries too. It never throws over what the cell holds: see {@link RawConfigParam}. */
export const decodeConfigParam = (id: number, cell: Cell): KnownConfigParam | RawConfigParam => {
  if (!isConfigParamId(id)) return { kind: 'raw', id, cell, error: undefined }
  const codec = codecOf(id)
  try {
    const value = readWhole(cell, codec.read, `Configuration parameter ${id}`)
    for (const each of codec.dicts(value)) each.forEach(() => {})
    return { kind: 'known', id, name: codec.name, value } as KnownConfigParam
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { kind: 'raw', id, cell, error }
  }
}

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
