import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { CellError } from '../../../src/codec/cell/errors.ts'
import { type ConfigParams, findConfigParam } from '../../../src/codec/tlb/config/configParams.ts'
import type { CatchainConfig } from '../../../src/codec/tlb/config/consensus.ts'
import type { BurningConfig } from '../../../src/codec/tlb/config/contracts.ts'
import type { ForwardPrices } from '../../../src/codec/tlb/config/prices.ts'
import type { WorkchainDescr } from '../../../src/codec/tlb/config/workchains.ts'
import { listValidators, type ValidatorDescr, type ValidatorSet } from '../../../src/codec/tlb/ValidatorSet.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { toHex } from '../../../src/primitives/hex.ts'

/** What the rules take from the configuration in force. */
export type NetworkConfig = {
  readonly params: ConfigParams
  readonly version: number
  readonly has: Readonly<Record<Capability, boolean>>
  readonly capabilities: bigint
  /** Before version 12 a message carried an IHR fee, where now its extra flags stand. */
  readonly ihrFeeCounts: boolean
  readonly globalId: number | undefined
  readonly catchain: CatchainConfig
  readonly validators: readonly ValidatorDescr[]
  readonly mainValidators: number
  readonly workchains: ReadonlyMap<number, WorkchainDescr>
  readonly masterBlockFee: bigint
  readonly baseBlockFee: bigint
  readonly burning: BurningConfig | undefined
  readonly toMint: ReadonlyMap<number, bigint>
  readonly minter: string
  readonly feeCollector: string
  /** Contracts of the masterchain that pay no fees and may run at every block. */
  readonly special: ReadonlySet<string>
  forwardPrices(workchain: number): ForwardPrices | undefined
}

const CAPABILITIES = {
  createStats: 2n,
  reportVersion: 8n,
  shortDequeue: 32n,
  queueSize: 64n,
  metadata: 128n,
  defer: 256n,
}

export type Capability = keyof typeof CAPABILITIES

const findAddress = (cell: Uint8Array | undefined): string | undefined => cell && toHex(cell)

const readValidators = (set: ValidatorSet | undefined): readonly ValidatorDescr[] =>
  set === undefined ? [] : listValidators(set)

/** One that burns nothing is none. */
const findBurning = (burning: BurningConfig | undefined): BurningConfig | undefined =>
  burning?.blackholeAddress === undefined && burning?.feeBurnNumerator === 0 ? undefined : burning

const memo = new Map<string, NetworkConfig>()
const MAX_KEPT = 64

/** Reads a configuration; one that was read before is not read again. */
export const readNetworkConfig = (params: ConfigParams): NetworkConfig => {
  const key = toHex((params.config.root as Cell).hash()) + toHex(params.configAddr)
  const kept = memo.get(key)
  if (kept !== undefined) return kept
  if (memo.size === MAX_KEPT) memo.clear()
  const config = read(params)
  memo.set(key, config)
  return config
}

const read = (params: ConfigParams): NetworkConfig => {
  const { config, configAddr } = params
  const { version, capabilities } = findConfigParam(config, 8) ?? { version: 0, capabilities: 0n }
  const catchain = findConfigParam(config, 28)
  if (catchain === undefined) throw new CellError('A configuration has parameter 28, this one has not.')
  const set = findConfigParam(config, 35) ?? findConfigParam(config, 34)
  const fees = findConfigParam(config, 14)
  const special =
    findConfigParam(config, 31)
      ?.entries()
      .map(([address]) => toHex(address)) ?? []
  const isOn = (bit: bigint): boolean => (capabilities & bit) !== 0n
  return {
    params,
    version,
    capabilities,
    has: {
      createStats: isOn(CAPABILITIES.createStats),
      reportVersion: isOn(CAPABILITIES.reportVersion),
      shortDequeue: isOn(CAPABILITIES.shortDequeue),
      queueSize: isOn(CAPABILITIES.queueSize),
      metadata: isOn(CAPABILITIES.metadata),
      defer: isOn(CAPABILITIES.defer),
    },
    ihrFeeCounts: version < 12,
    globalId: findConfigParam(config, 19),
    catchain,
    validators: readValidators(set),
    mainValidators: set?.main ?? 0,
    workchains: new Map(findConfigParam(config, 12)?.entries() ?? []),
    masterBlockFee: fees?.masterchainBlockFee ?? 0n,
    baseBlockFee: fees?.basechainBlockFee ?? 0n,
    burning: findBurning(findConfigParam(config, 5)),
    toMint: new Map(findConfigParam(config, 7)?.entries() ?? []),
    minter: findAddress(findConfigParam(config, 2) ?? findConfigParam(config, 0)) ?? '',
    feeCollector: findAddress(findConfigParam(config, 3) ?? findConfigParam(config, 1)) ?? '',
    special: new Set([...special, toHex(configAddr)]),
    forwardPrices: (workchain) => findConfigParam(config, workchain === masterchain ? 24 : 25),
  }
}
