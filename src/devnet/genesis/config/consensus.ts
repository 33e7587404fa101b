import { Dict } from '../../../codec/cell/Dict.ts'
import type { GlobalVersion } from '../../../codec/tlb/BlockInfo.ts'
import type { CatchainConfig, ConsensusConfig } from '../../../codec/tlb/config/consensus.ts'
import type { BlockCreateFees } from '../../../codec/tlb/config/prices.ts'
import { type ValidatorSet, validatorListType } from '../../../codec/tlb/ValidatorSet.ts'
import { soleValidator } from '../soleValidator.ts'

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
export const globalVersion: GlobalVersion = {
  version: 13,
  capabilities: Object.values(capabilities).reduce((all, bit) => all | bit, 0n),
}

export const blockCreateFees: BlockCreateFees = {
  masterchainBlockFee: 1_700_000_000n,
  basechainBlockFee: 1_000_000_000n,
}

const FOREVER = 0xffff_ffff

/** Sessions end when the time passes a multiple of their length, which here it never does. */
export const catchainConfig: CatchainConfig = {
  extension: { flags: 0, shuffleMcValidators: true },
  mcCatchainLifetime: FOREVER,
  shardCatchainLifetime: FOREVER,
  shardValidatorsLifetime: FOREVER,
  shardValidatorsNum: 1,
}

export const consensusConfig: ConsensusConfig = {
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

export const createValidatorSet = (publicKey: Uint8Array, utime: number): ValidatorSet => {
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
