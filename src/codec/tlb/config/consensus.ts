import type { DictType } from '../../cell/Dict.ts'
import { uintKey, uintValue, type ValueCodec } from '../../cell/dictTypes.ts'
import { CellError } from '../../cell/errors.ts'
import { bool, dictOf, maybe, record, refTo, tagged, uint32, type ValueOf } from '../record.ts'
import { unknownTag } from '../scalars.ts'

/** Fields that the second form (#c2) adds. */
const catchainFlags = record({ flags: uintValue(7), shuffleMcValidators: bool })

/** In seconds. */
const catchainFields = record({
  mcCatchainLifetime: uint32,
  shardCatchainLifetime: uint32,
  shardValidatorsLifetime: uint32,
  shardValidatorsNum: uint32,
})

export type CatchainConfig = ValueOf<typeof catchainFields> & {
  readonly extension: ValueOf<typeof catchainFlags> | undefined
}

/**
 * catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
 *   shard_validators_num:uint32 = CatchainConfig;
 * catchain_config_new#c2 flags:(## 7) shuffle_mc_validators:Bool … = CatchainConfig;
 * (ConfigParam 28)
 */
export const catchainConfig: ValueCodec<CatchainConfig> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag !== 0xc1 && tag !== 0xc2) throw unknownTag('A CatchainConfig', '#c1 or #c2', tag, 8)
    return { extension: tag === 0xc2 ? catchainFlags.read(r) : undefined, ...catchainFields.read(r) }
  },
  write: (w, config) => {
    w.writeUint(config.extension === undefined ? 0xc1 : 0xc2, 8)
    if (config.extension !== undefined) catchainFlags.write(w, config.extension)
    catchainFields.write(w, config)
  },
}

/** Of the fourth form; in the second and third form the bit of `useQuic` is a flag. */
const consensusFlags = record({ flags: uintValue(6), useQuic: bool, newCatchainIds: bool })

const consensusLimits = record({
  nextCandidateDelayMs: uint32,
  consensusTimeoutMs: uint32,
  fastAttempts: uint32,
  attemptDuration: uint32,
  catchainMaxDeps: uint32,
  maxBlockBytes: uint32,
  maxCollatedBytes: uint32,
})

/** Of the consensus before simplex. */
export type ConsensusConfig = ValueOf<typeof consensusLimits> & {
  readonly roundCandidates: number
  /** Fields that later forms add, each form including those before it. Absent in the first form (#d6). */
  readonly extension:
    | (ValueOf<typeof consensusFlags> & {
        /** From the third form (#d8) on. */
        readonly protoVersion: number | undefined
        /** In the fourth form (#d9). */
        readonly catchainMaxBlocksCoeff: number | undefined
      })
    | undefined
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
export const consensusConfig: ValueCodec<ConsensusConfig> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag < 0xd6 || tag > 0xd9) throw unknownTag('A ConsensusConfig', '#d6, #d7, #d8 or #d9', tag, 8)
    const flags = tag === 0xd6 ? undefined : consensusFlags.read(r)
    const roundCandidates = r.readUint(flags === undefined ? 32 : 8)
    const limits = { roundCandidates, ...consensusLimits.read(r) }
    if (flags === undefined) return { extension: undefined, ...limits }
    const protoVersion = tag >= 0xd8 ? r.readUint(16) : undefined
    const catchainMaxBlocksCoeff = tag === 0xd9 ? r.readUint(32) : undefined
    return { extension: { ...flags, protoVersion, catchainMaxBlocksCoeff }, ...limits }
  },
  write: (w, config) => {
    const { extension } = config
    w.writeUint(tagOf(extension), 8)
    if (extension !== undefined) consensusFlags.write(w, extension)
    consensusLimits.write(w.writeUint(config.roundCandidates, extension === undefined ? 32 : 8), config)
    if (extension?.protoVersion !== undefined) w.writeUint(extension.protoVersion, 16)
    if (extension?.catchainMaxBlocksCoeff !== undefined) w.writeUint(extension.catchainMaxBlocksCoeff, 32)
  },
}

const tagOf = (extension: ConsensusConfig['extension']): number => {
  if (extension === undefined) return 0xd6
  if (extension.catchainMaxBlocksCoeff === undefined) return extension.protoVersion === undefined ? 0xd7 : 0xd8
  if (extension.protoVersion === undefined) {
    throw new CellError('A ConsensusConfig with a limit of catchain blocks needs a protocol version, it has none.')
  }
  return 0xd9
}

export const noncriticalParamsType: DictType<number, number> = { key: uintKey(8), value: uint32 }

/**
 * simplex_config#21 flags:(## 7) use_quic:Bool target_rate_ms:uint32 slots_per_leader_window:uint32
 *   first_block_timeout_ms:uint32 max_leader_window_desync:uint32 = NewConsensusConfig;
 */
const simplexV1 = record({
  flags: uintValue(7),
  useQuic: bool,
  targetRateMs: uint32,
  slotsPerLeaderWindow: uint32,
  firstBlockTimeoutMs: uint32,
  maxLeaderWindowDesync: uint32,
})

/**
 * simplex_config_v2#22 flags:(## 5) protocol_version:(## 2) use_quic:Bool slots_per_leader_window:uint32
 *   noncritical_params:(HashmapE 8 uint32) = NewConsensusConfig;
 */
const simplexV2 = record({
  flags: uintValue(5),
  protocolVersion: uintValue(2),
  useQuic: bool,
  slotsPerLeaderWindow: uint32,
  /** Timing and protection by number; 0 is the target block interval in milliseconds. */
  noncriticalParams: dictOf(noncriticalParamsType),
})

type SimplexConfig =
  | ({ readonly kind: 'v1' } & ValueOf<typeof simplexV1>)
  | ({ readonly kind: 'v2' } & ValueOf<typeof simplexV2>)

const simplexConfig: ValueCodec<SimplexConfig> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag === 0x21) return { kind: 'v1', ...simplexV1.read(r) }
    if (tag === 0x22) return { kind: 'v2', ...simplexV2.read(r) }
    throw unknownTag('A NewConsensusConfig', '#21 or #22', tag, 8)
  },
  write: (w, config) => {
    if (config.kind === 'v1') simplexV1.write(w.writeUint(0x21, 8), config)
    else simplexV2.write(w.writeUint(0x22, 8), config)
  },
}

const maybeSimplex = maybe(refTo('A NewConsensusConfig', simplexConfig))

/**
 * The consensus of the masterchain and of the shards, each simplex if present and the older one if not:
 * new_consensus_config_all#10 mc:(Maybe ^NewConsensusConfig) shard:(Maybe ^NewConsensusConfig) = NewConsensusConfigAll;
 * (ConfigParam 30)
 */
export const newConsensusConfig = tagged(0x10, 8, record({ masterchain: maybeSimplex, shards: maybeSimplex }))
