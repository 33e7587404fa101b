import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { CellError } from '../../cell/errors.ts'
import { unknownTag } from '../unknownTag.ts'

/** What later forms add, each keeping what the ones before it had. */
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
