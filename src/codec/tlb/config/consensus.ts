import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { uintKey, uintValue } from '../../cell/dictTypes.ts'
import { CellError } from '../../cell/errors.ts'
import { readWholeRef, writeWhole } from '../../cell/wholeCell.ts'
import { unknownTag } from '../scalars.ts'

/** Fields that the second form (#c2) adds. */
export type CatchainFlags = { readonly flags: number; readonly shuffleMcValidators: boolean }

/** Lifetimes are in seconds. */
export type CatchainConfig = {
  readonly extension: CatchainFlags | undefined
  readonly mcCatchainLifetime: number
  readonly shardCatchainLifetime: number
  readonly shardValidatorsLifetime: number
  readonly shardValidatorsNum: number
}

/**
 * catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
 *   shard_validators_num:uint32 = CatchainConfig;
 * catchain_config_new#c2 flags:(## 7) shuffle_mc_validators:Bool … = CatchainConfig;
 * (ConfigParam 28)
 */
export const readCatchainConfig = (r: CellReader): CatchainConfig => {
  const tag = r.readUint(8)
  if (tag !== 0xc1 && tag !== 0xc2) throw unknownTag('A CatchainConfig', '#c1 or #c2', tag, 8)
  return {
    extension: tag === 0xc2 ? { flags: r.readUint(7), shuffleMcValidators: r.readBit() } : undefined,
    mcCatchainLifetime: r.readUint(32),
    shardCatchainLifetime: r.readUint(32),
    shardValidatorsLifetime: r.readUint(32),
    shardValidatorsNum: r.readUint(32),
  }
}

export const writeCatchainConfig = (w: CellWriter, config: CatchainConfig): void => {
  const { extension } = config
  w.writeUint(extension === undefined ? 0xc1 : 0xc2, 8)
  if (extension !== undefined) w.writeUint(extension.flags, 7).writeBit(extension.shuffleMcValidators)
  w.writeUint(config.mcCatchainLifetime, 32).writeUint(config.shardCatchainLifetime, 32)
  w.writeUint(config.shardValidatorsLifetime, 32).writeUint(config.shardValidatorsNum, 32)
}

/** Fields that later forms add. Each form includes those before it. */
export type ConsensusExtension = {
  readonly flags: number
  /** A flag of the fourth form; zero in the others. */
  readonly useQuic: boolean
  readonly newCatchainIds: boolean
  /** From the third form (#d8) on. */
  readonly protoVersion: number | undefined
  /** In the fourth form (#d9). */
  readonly catchainMaxBlocksCoeff: number | undefined
}

/** Of the consensus before simplex. */
export type ConsensusConfig = {
  /** Absent in the first form (#d6). */
  readonly extension: ConsensusExtension | undefined
  readonly roundCandidates: number
  readonly nextCandidateDelayMs: number
  readonly consensusTimeoutMs: number
  readonly fastAttempts: number
  readonly attemptDuration: number
  readonly catchainMaxDeps: number
  readonly maxBlockBytes: number
  readonly maxCollatedBytes: number
}

/**
 * consensus_config#d6 round_candidates:# next_candidate_delay_ms:uint32 consensus_timeout_ms:uint32 fast_attempts:uint32
 *   attempt_duration:uint32 catchain_max_deps:uint32 max_block_bytes:uint32 max_collated_bytes:uint32 = ConsensusConfig;
 * consensus_config_new#d7 flags:(## 7) new_catchain_ids:Bool round_candidates:(## 8) … = ConsensusConfig;
 * consensus_config_v3#d8 flags:(## 7) new_catchain_ids:Bool … proto_version:uint16 = ConsensusConfig;
 * consensus_config_v4#d9 flags:(## 6) use_quic:Bool new_catchain_ids:Bool … proto_version:uint16
 *   catchain_max_blocks_coeff:uint32 = ConsensusConfig;
 * (ConfigParam 29)
 */
export const readConsensusConfig = (r: CellReader): ConsensusConfig => {
  const tag = r.readUint(8)
  if (tag < 0xd6 || tag > 0xd9) throw unknownTag('A ConsensusConfig', '#d6, #d7, #d8 or #d9', tag, 8)
  const isFirst = tag === 0xd6
  const flags = isFirst ? 0 : r.readUint(6)
  const useQuic = isFirst ? false : r.readBit()
  const newCatchainIds = isFirst ? false : r.readBit()
  const limits = {
    roundCandidates: r.readUint(isFirst ? 32 : 8),
    nextCandidateDelayMs: r.readUint(32),
    consensusTimeoutMs: r.readUint(32),
    fastAttempts: r.readUint(32),
    attemptDuration: r.readUint(32),
    catchainMaxDeps: r.readUint(32),
    maxBlockBytes: r.readUint(32),
    maxCollatedBytes: r.readUint(32),
  }
  if (isFirst) return { extension: undefined, ...limits }
  const protoVersion = tag >= 0xd8 ? r.readUint(16) : undefined
  const catchainMaxBlocksCoeff = tag === 0xd9 ? r.readUint(32) : undefined
  return { extension: { flags, useQuic, newCatchainIds, protoVersion, catchainMaxBlocksCoeff }, ...limits }
}

export const writeConsensusConfig = (w: CellWriter, config: ConsensusConfig): void => {
  const { extension } = config
  w.writeUint(tagOf(extension), 8)
  if (extension !== undefined) {
    w.writeUint(extension.flags, 6).writeBit(extension.useQuic).writeBit(extension.newCatchainIds)
  }
  w.writeUint(config.roundCandidates, extension === undefined ? 32 : 8)
  w.writeUint(config.nextCandidateDelayMs, 32).writeUint(config.consensusTimeoutMs, 32)
  w.writeUint(config.fastAttempts, 32).writeUint(config.attemptDuration, 32).writeUint(config.catchainMaxDeps, 32)
  w.writeUint(config.maxBlockBytes, 32).writeUint(config.maxCollatedBytes, 32)
  if (extension?.protoVersion !== undefined) w.writeUint(extension.protoVersion, 16)
  if (extension?.catchainMaxBlocksCoeff !== undefined) w.writeUint(extension.catchainMaxBlocksCoeff, 32)
}

const tagOf = (extension: ConsensusExtension | undefined): number => {
  if (extension === undefined) return 0xd6
  if (extension.catchainMaxBlocksCoeff === undefined) return extension.protoVersion === undefined ? 0xd7 : 0xd8
  if (extension.protoVersion === undefined) {
    throw new CellError('A ConsensusConfig with a limit of catchain blocks needs a protocol version, it has none.')
  }
  return 0xd9
}

export type SimplexConfig =
  | {
      readonly kind: 'v1'
      readonly flags: number
      readonly useQuic: boolean
      readonly targetRateMs: number
      readonly slotsPerLeaderWindow: number
      readonly firstBlockTimeoutMs: number
      readonly maxLeaderWindowDesync: number
    }
  | {
      readonly kind: 'v2'
      readonly flags: number
      readonly protocolVersion: number
      readonly useQuic: boolean
      readonly slotsPerLeaderWindow: number
      /** Timing and protection by number; 0 is the target block interval in milliseconds. */
      readonly noncriticalParams: Dict<number, number>
    }

/** The consensus of the masterchain and of the shards, each simplex where present and the older one where not. */
export type NewConsensusConfig = {
  readonly masterchain: SimplexConfig | undefined
  readonly shards: SimplexConfig | undefined
}

export const noncriticalParamsType: DictType<number, number> = { key: uintKey(8), value: uintValue(32) }

/**
 * simplex_config#21 flags:(## 7) use_quic:Bool target_rate_ms:uint32 slots_per_leader_window:uint32
 *   first_block_timeout_ms:uint32 max_leader_window_desync:uint32 = NewConsensusConfig;
 * simplex_config_v2#22 flags:(## 5) protocol_version:(## 2) use_quic:Bool slots_per_leader_window:uint32
 *   noncritical_params:(HashmapE 8 uint32) = NewConsensusConfig;
 */
const readSimplexConfig = (r: CellReader): SimplexConfig => {
  const tag = r.readUint(8)
  if (tag === 0x21) {
    return {
      kind: 'v1',
      flags: r.readUint(7),
      useQuic: r.readBit(),
      targetRateMs: r.readUint(32),
      slotsPerLeaderWindow: r.readUint(32),
      firstBlockTimeoutMs: r.readUint(32),
      maxLeaderWindowDesync: r.readUint(32),
    }
  }
  if (tag !== 0x22) throw unknownTag('A NewConsensusConfig', '#21 or #22', tag, 8)
  return {
    kind: 'v2',
    flags: r.readUint(5),
    protocolVersion: r.readUint(2),
    useQuic: r.readBit(),
    slotsPerLeaderWindow: r.readUint(32),
    noncriticalParams: readDict(r, noncriticalParamsType),
  }
}

const writeSimplexConfig = (w: CellWriter, config: SimplexConfig): void => {
  if (config.kind === 'v1') {
    w.writeUint(0x21, 8).writeUint(config.flags, 7).writeBit(config.useQuic).writeUint(config.targetRateMs, 32)
    w.writeUint(config.slotsPerLeaderWindow, 32).writeUint(config.firstBlockTimeoutMs, 32)
    w.writeUint(config.maxLeaderWindowDesync, 32)
  } else {
    w.writeUint(0x22, 8).writeUint(config.flags, 5).writeUint(config.protocolVersion, 2).writeBit(config.useQuic)
    w.writeUint(config.slotsPerLeaderWindow, 32)
    writeDict(w, config.noncriticalParams)
  }
}

/**
 * new_consensus_config_all#10 mc:(Maybe ^NewConsensusConfig) shard:(Maybe ^NewConsensusConfig) = NewConsensusConfigAll;
 * (ConfigParam 30)
 */
export const readNewConsensusConfig = (r: CellReader): NewConsensusConfig => {
  r.expectTag(0x10, 8)
  return { masterchain: readMaybeConfig(r), shards: readMaybeConfig(r) }
}

export const writeNewConsensusConfig = (w: CellWriter, { masterchain, shards }: NewConsensusConfig): void => {
  w.writeUint(0x10, 8)
  writeMaybeConfig(w, masterchain)
  writeMaybeConfig(w, shards)
}

const readMaybeConfig = (r: CellReader): SimplexConfig | undefined =>
  r.readBit() ? readWholeRef(r, readSimplexConfig, 'A NewConsensusConfig') : undefined

const writeMaybeConfig = (w: CellWriter, config: SimplexConfig | undefined): void => {
  w.writeMaybeRef(config === undefined ? undefined : writeWhole(writeSimplexConfig, config))
}
