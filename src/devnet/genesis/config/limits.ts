import type { BlockLimits, SizeLimits } from '../../../codec/tlb/config/limits.ts'

// How much fits, on the main network as of August 2026.

export const masterchainBlockLimits: BlockLimits = {
  bytes: { underload: 131_072, soft: 524_288, hard: 1_048_576 },
  gas: { underload: 200_000, soft: 1_000_000, hard: 2_500_000 },
  ltDelta: { underload: 1_000, soft: 5_000, hard: 10_000 },
  extension: undefined,
}

export const blockLimits: BlockLimits = {
  bytes: { underload: 262_144, soft: 1_048_576, hard: 2_097_152 },
  gas: { underload: 2_000_000, soft: 10_000_000, hard: 20_000_000 },
  ltDelta: { underload: 1_000, soft: 5_000, hard: 10_000 },
  extension: undefined,
}

/**
 * In the first form: the virtual machine does not read the later ones as they are written today. What they add has the same
 * values by default, and by default a message may carry two extra currencies, which the main network forbids.
 */
export const sizeLimits: SizeLimits = {
  maxMsgBits: 2_097_152,
  maxMsgCells: 8_192,
  maxLibraryCells: 200,
  maxVmDataDepth: 512,
  maxExtMsgSize: 65_535,
  maxExtMsgDepth: 512,
  extension: undefined,
}
