import { Dict, type DictType } from '../../codec/cell/Dict.ts'
import type { GlobalVersion } from '../../codec/tlb/BlockInfo.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  type ConfigParamValue,
  configDictType,
  encodeConfigParam,
} from '../../codec/tlb/config/configParams.ts'
import type { CatchainConfig, ConsensusConfig } from '../../codec/tlb/config/consensus.ts'
import { fundamentalContractsType } from '../../codec/tlb/config/contracts.ts'
import { paramNumbersType } from '../../codec/tlb/config/governance.ts'
import type { BlockLimits, SizeLimits } from '../../codec/tlb/config/limits.ts'
import {
  type BlockCreateFees,
  type ForwardPrices,
  type GasPrices,
  type StoragePrices,
  storagePriceListType,
} from '../../codec/tlb/config/prices.ts'
import { type WorkchainDescr, workchainsType } from '../../codec/tlb/config/workchains.ts'
import { type ValidatorSet, validatorListType } from '../../codec/tlb/ValidatorSet.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { configAddress, electorAddress } from '../contracts/systemContracts.ts'
import { soleValidator } from './soleValidator.ts'

/** What the blocks of the network keep, by the bits that stand for it. */
const capabilities = {
  createStats: 0x02n,
  bounceBody: 0x04n,
  reportVersion: 0x08n,
  shortDequeue: 0x20n,
  storeOutQueueSize: 0x40n,
  messageMetadata: 0x80n,
}

/** The newest version that the virtual machine knows all rules of. */
const globalVersion: GlobalVersion = {
  version: 13,
  capabilities: Object.values(capabilities).reduce((all, bit) => all | bit, 0n),
}

const blockCreateFees: BlockCreateFees = {
  masterchainBlockFee: 1_700_000_000n,
  basechainBlockFee: 1_000_000_000n,
}

const FOREVER = 0xffff_ffff

/** Sessions end when the time passes a multiple of their length, which here it never does. */
const catchainConfig: CatchainConfig = {
  extension: { flags: 0, shuffleMcValidators: true },
  mcCatchainLifetime: FOREVER,
  shardCatchainLifetime: FOREVER,
  shardValidatorsLifetime: FOREVER,
  shardValidatorsNum: 1,
}

const consensusConfig: ConsensusConfig = {
  extension: { flags: 0, useQuic: false, newCatchainIds: true, protoVersion: 5, catchainMaxBlocksCoeff: 10_000 },
  roundCandidates: 3,
  nextCandidateDelayMs: 2_000,
  consensusTimeoutMs: 16_000,
  fastAttempts: 3,
  attemptDuration: 8,
  catchainMaxDeps: 4,
  maxBlockBytes: 2_097_152,
  maxCollatedBytes: 10_485_760,
}

/** No longer, so that the end of the term fits 31 bits for some years to come: not every reader takes it for unsigned. */
const TERM_SECONDS = 10 * 365 * 86_400

const createValidatorSet = (publicKey: Uint8Array, utime: number): ValidatorSet => {
  const validator = soleValidator(publicKey)
  return {
    utimeSince: utime,
    utimeUntil: Math.min(utime + TERM_SECONDS, FOREVER),
    total: 1,
    main: 1,
    totalWeight: validator.weight,
    list: Dict.of(validatorListType, [[0, validator]]),
  }
}

// Elections and votes as on the main network as of August 2026. There are no elections and votes here, but contracts may read the parameters.

const mandatoryParams = [0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34]

const criticalParams = [0, 1, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36, -1001, -1000]

const votingSetup: ConfigParamValue<11> = {
  normal: {
    minTotalRounds: 2,
    maxTotalRounds: 6,
    minWins: 2,
    maxLosses: 5,
    minStoreSeconds: 1_000_000,
    maxStoreSeconds: 10_000_000,
    bitPrice: 1,
    cellPrice: 500,
  },
  critical: {
    minTotalRounds: 4,
    maxTotalRounds: 7,
    minWins: 3,
    maxLosses: 5,
    minStoreSeconds: 5_000_000,
    maxStoreSeconds: 20_000_000,
    bitPrice: 2,
    cellPrice: 1_000,
  },
}

const complaintPricing: ConfigParamValue<13> = { deposit: 1_000_000_000n, bitPrice: 1n, cellPrice: 500n }

const electionTimes: ConfigParamValue<15> = {
  validatorsElectedFor: 65_536,
  electionsStartBefore: 32_768,
  electionsEndBefore: 8_192,
  stakeHeldFor: 32_768,
}

/** The least number is ours: there is one validator. */
const validatorCounts: ConfigParamValue<16> = { maxValidators: 400, maxMainValidators: 100, minValidators: 1 }

const stakeLimits: ConfigParamValue<17> = {
  minStake: 300_000_000_000_000n,
  maxStake: 10_000_000_000_000_000n,
  minTotalStake: 75_000_000_000_000_000n,
  maxStakeFactor: 294_912,
}

// Block limits of the main network as of August 2026.

const masterchainBlockLimits: BlockLimits = {
  bytes: { underload: 131_072, soft: 524_288, hard: 1_048_576 },
  gas: { underload: 200_000, soft: 1_000_000, hard: 2_500_000 },
  ltDelta: { underload: 1_000, soft: 5_000, hard: 10_000 },
  extension: undefined,
}

const blockLimits: BlockLimits = {
  bytes: { underload: 262_144, soft: 1_048_576, hard: 2_097_152 },
  gas: { underload: 2_000_000, soft: 10_000_000, hard: 20_000_000 },
  ltDelta: { underload: 1_000, soft: 5_000, hard: 10_000 },
  extension: undefined,
}

/**
 * In the first form: the virtual machine does not read the later ones as they are written today. What they add has the same
 * values by default, and by default a message may carry two extra currencies, which the main network forbids.
 */
const sizeLimits: SizeLimits = {
  maxMsgBits: 2_097_152,
  maxMsgCells: 8_192,
  maxLibraryCells: 200,
  maxVmDataDepth: 512,
  maxExtMsgSize: 65_535,
  maxExtMsgDepth: 512,
  extension: undefined,
}

// Prices of the main network as of August 2026, so that costs here equal costs there.

const storagePrices: StoragePrices = {
  utimeSince: 0,
  bitPrice: 0n,
  cellPrice: 135n,
  masterchainBitPrice: 1_000n,
  masterchainCellPrice: 500_000n,
}

const masterchainGasPrices: GasPrices = {
  flat: { limit: 100n, price: 1_000_000n },
  gasPrice: 655_360_000n,
  gasLimit: 1_000_000n,
  specialGasLimit: 70_000_000n,
  gasCredit: 10_000n,
  blockGasLimit: 2_500_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: 1_000_000_000n,
}

const gasPrices: GasPrices = {
  flat: { limit: 100n, price: 6_667n },
  gasPrice: 4_369_067n,
  gasLimit: 1_000_000n,
  specialGasLimit: 1_000_000n,
  gasCredit: 10_000n,
  blockGasLimit: 10_000_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: 1_000_000_000n,
}

const masterchainForwardPrices: ForwardPrices = {
  lumpPrice: 10_000_000n,
  bitPrice: 655_360_000n,
  cellPrice: 65_536_000_000n,
  ihrPriceFactor: 98_304,
  firstFraction: 21_845,
  nextFraction: 21_845,
}

const forwardPrices: ForwardPrices = {
  lumpPrice: 66_667n,
  bitPrice: 4_369_067n,
  cellPrice: 436_906_667n,
  ihrPriceFactor: 98_304,
  firstFraction: 21_845,
  nextFraction: 21_845,
}

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

/** Nothing is burned. Clients that parse the whole configuration expect the parameter. */
const noBurning: ConfigParamValue<5> = { blackholeAddress: undefined, feeBurnNumerator: 0, feeBurnDenominator: 1 }

const listParams = (facts: ConfigFacts): ParamValues => ({
  0: configAddress.hash,
  1: electorAddress.hash,
  2: noMinter,
  4: facts.dnsRoot,
  5: noBurning,
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
 * The initial configuration: that of the main network as far as it fits one validator. It has no parameter 30,
 * so blocks are signed in the older way, which every client understands.
 */
export const createConfig = (facts: ConfigFacts): ConfigDict => {
  const cells = Object.entries(listParams(facts)).flatMap(([key, value]) => {
    const id = Number(key) as ConfigParamId
    return value === undefined ? [] : [[id, encodeConfigParam(id, value)] as const]
  })
  return Dict.of(configDictType, cells)
}

export type ShardLimits = { readonly minSplit: number; readonly maxSplit: number }

/**
 * A shard that is to split or merge does so at once: time is manual here and may stop. The window is long enough
 * for slow blocks.
 */
const splitMergeTimings = { delay: 0, interval: 60, minInterval: 10, maxDelay: 1_000 }

/** Workchain 0 as the configuration describes it, which begins with the given state. */
export const createBasechain = (
  { rootHash, fileHash }: BlockIdExt,
  utime: number,
  { minSplit, maxSplit }: ShardLimits,
): WorkchainDescr => ({
  enabledSince: utime,
  monitorMinSplit: 0,
  minSplit,
  maxSplit,
  isActive: true,
  acceptsMessages: true,
  flags: 0,
  zerostateRootHash: rootHash,
  zerostateFileHash: fileHash,
  version: 0,
  format: { kind: 'basic', vmVersion: -1, vmMode: 0n },
  extension: { splitMergeTimings, persistentStateSplitDepth: 0 },
})
