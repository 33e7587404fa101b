import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { uintKey, uintValue } from '../../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../../cell/wholeCell.ts'
import { unknownTag } from '../unknownTag.ts'

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
