import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { ControlInputError } from './errors.ts'
import type { Mining } from './NetworkControls.ts'

const YEAR = 31_536_000

/** What a developer may ask for at once. */
export const CONTROL_LIMITS = {
  minedBlocks: 10_000,
  clockSeconds: 10 * YEAR,
  disturbedBlocks: 1000,
  snapshots: 100,
  minIntervalMs: 200,
  maxIntervalMs: 3_600_000,
  /** Nanograms: about a thousand times what the main network has. */
  amount: 10n ** 22n,
} as const

/** The last second that blocks can carry. */
export const LAST_UTIME = 0xffff_fffe

export const expectWhole = (what: string, value: number, least: number, most: number): void => {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new ControlInputError(`${what} must be a whole number from ${least} to ${most}, ${value} came.`)
}

export const expectAmount = (what: string, value: bigint, least: bigint): void => {
  if (value >= least && value <= CONTROL_LIMITS.amount) return
  throw new ControlInputError(`${what} must be from ${least} to ${CONTROL_LIMITS.amount} nanograms, ${value} came.`)
}

/** Accounts are in the masterchain and the basechain: there are no other chains here. */
export const expectAccount = (what: string, address: Address): void => {
  const { workchain, hash } = address
  if ((workchain === 0 || workchain === masterchain) && hash.length === 32) return
  throw new ControlInputError(`${what} must be in workchain 0 or -1, ${formatRawAddress(address)} came.`)
}

export const expectMining = (mining: Mining): void => {
  if (mining.mode !== 'interval') return
  const { minIntervalMs, maxIntervalMs } = CONTROL_LIMITS
  expectWhole('The milliseconds between blocks', mining.intervalMs, minIntervalMs, maxIntervalMs)
}
