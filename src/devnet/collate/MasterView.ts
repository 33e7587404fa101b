import { Cell } from '../../codec/cell/Cell.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import type { ExtBlkRef, GlobalVersion } from '../../codec/tlb/BlockInfo.ts'
import { type ExtraCurrencies, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  type ConfigParamValue,
  findConfigParam,
} from '../../codec/tlb/config/configParams.ts'
import type { CatchainConfig } from '../../codec/tlb/config/consensus.ts'
import type { BlockLimits } from '../../codec/tlb/config/limits.ts'
import type { BlockCreateFees } from '../../codec/tlb/config/prices.ts'
import type { WorkchainDescr } from '../../codec/tlb/config/workchains.ts'
import {
  type McStateExtra,
  type McStateHistory,
  openMcStateExtra,
  openMcStateHistory,
} from '../../codec/tlb/McStateExtra.ts'
import { openShardState, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { listValidators, type ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { ChainDataError } from '../store/errors.ts'

const CREATE_STATS = 2n
const GEN_SOFTWARE = 8n
const SHORT_DEQUEUE = 32n
const QUEUE_SIZE = 64n
const METADATA = 128n

const ZERO_ADDRESS = new Uint8Array(32)

/** What the configuration says to a maker of blocks. */
export type NetworkRules = {
  /** Root of the dictionary of parameters. */
  readonly config: Cell
  readonly configAddress: Uint8Array
  readonly version: GlobalVersion
  readonly hasCreateStats: boolean
  readonly hasGenSoftware: boolean
  readonly hasShortDequeue: boolean
  readonly hasQueueSize: boolean
  readonly hasMetadata: boolean
  readonly createFees: BlockCreateFees
  readonly masterLimits: BlockLimits
  readonly limits: BlockLimits
  readonly catchain: CatchainConfig
  /** Workchains by number; the embedded network runs workchain 0. */
  readonly workchains: readonly (readonly [number, WorkchainDescr])[]
  /** Masterchain accounts that run in every block and pay no gas, in the order of their addresses. */
  readonly specialContracts: readonly Uint8Array[]
  readonly feeCollector: Uint8Array | undefined
  readonly minter: Uint8Array
  readonly toMint: ExtraCurrencies
  readonly validator: ValidatorDescr
}

/** Reads the rules; a configuration that does not have what blocks need is refused with the reason. */
const readNetworkRules = (dict: ConfigDict): NetworkRules => {
  const get = <Id extends ConfigParamId>(id: Id): ConfigParamValue<Id> => {
    const value = findConfigParam(dict, id)
    if (value === undefined) throw new ChainDataError(`The configuration has no parameter ${id}.`)
    return value
  }
  const version = get(8)
  const has = (capability: bigint): boolean => (version.capabilities & capability) !== 0n
  const configAddress = get(0)
  const [validator, ...others] = listValidators(get(34))
  if (validator === undefined || others.length > 0) {
    throw new ChainDataError(`An embedded network has one validator, its configuration names ${others.length + 1}.`)
  }
  return {
    config: dict.root instanceof Cell ? dict.root : sliceToCell(dict.root!),
    configAddress,
    version,
    hasCreateStats: has(CREATE_STATS),
    hasGenSoftware: has(GEN_SOFTWARE),
    hasShortDequeue: has(SHORT_DEQUEUE),
    hasQueueSize: has(QUEUE_SIZE),
    hasMetadata: has(METADATA),
    createFees: findConfigParam(dict, 14) ?? { masterchainBlockFee: 0n, basechainBlockFee: 0n },
    masterLimits: get(22),
    limits: get(23),
    catchain: get(28),
    workchains: get(12).entries(),
    specialContracts: listSpecial(configAddress, get(31).entries()),
    feeCollector: findConfigParam(dict, 3) ?? findConfigParam(dict, 1),
    minter: findConfigParam(dict, 2) ?? ZERO_ADDRESS,
    toMint: findConfigParam(dict, 7) ?? NO_EXTRA_CURRENCIES,
    validator: {
      publicKey: validator.publicKey.slice(),
      weight: validator.weight,
      adnlAddress: validator.adnlAddress?.slice(),
    },
  }
}

/** The rules of a new configuration, or `undefined` where blocks could not be made by them. */
export const findNetworkRules = (dict: ConfigDict): NetworkRules | undefined => {
  try {
    return readNetworkRules(dict)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const listSpecial = (configAddress: Uint8Array, listed: readonly (readonly [Uint8Array, true])[]): Uint8Array[] => {
  const all = new Map(
    [configAddress, ...listed.map(([hash]) => hash)].map((hash) => [Buffer.from(hash).toString('hex'), hash]),
  )
  return [...all.keys()].sort().map((hex) => all.get(hex)!)
}

/** The newest masterchain state, opened as far as making the next blocks needs. */
export type MasterView = {
  readonly id: BlockIdExt
  /** How blocks that build on it name it. */
  readonly ref: ExtBlkRef
  readonly root: Cell
  readonly state: ShardStateUnsplit
  readonly extra: McStateExtra
  readonly history: McStateHistory
  readonly rules: NetworkRules
  /** The newest key block up to and including this one. */
  readonly keyBlockSeqno: number
}

export const openMasterView = (store: ChainStore): MasterView => {
  const id = store.head?.id ?? store.zeroState
  const root = getState(store, id)
  const state = openUnsplit(root)
  if (state.custom === undefined) throw new ChainDataError(`The state of ${formatBlockId(id)} is not a masterchain's.`)
  const extra = openMcStateExtra(state.custom)
  const history = openMcStateHistory(extra.history)
  return {
    id,
    ref: { endLt: state.genLt, seqno: id.seqno, rootHash: id.rootHash, fileHash: id.fileHash },
    root,
    state,
    extra,
    history,
    rules: readNetworkRules(extra.config.config),
    keyBlockSeqno: history.afterKeyBlock ? id.seqno : (history.lastKeyBlock?.seqno ?? 0),
  }
}

export const getState = (store: ChainStore, id: BlockIdExt): Cell => {
  const root = store.findState(id)
  if (root === undefined) throw new ChainDataError(`The state of ${formatBlockId(id)} is not in the store.`)
  return root
}

export const openUnsplit = (root: Cell): ShardStateUnsplit => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') throw new ChainDataError('The state of a block is never a pair of states.')
  return state
}
