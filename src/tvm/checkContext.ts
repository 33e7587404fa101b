import type { RunContext, VmLogDetail } from '../chain/ports.ts'
import { toHex } from '../primitives/hex.ts'
import { VmInputError } from './errors.ts'

const MAX_TIME = 0xffff_ffff

/** Time and seed of a run, as a worker takes them. A zero time would make the emulator take the clock's. */
export const checkContext = ({
  now,
  randomSeed,
}: RunContext): { readonly now: number; readonly randomSeed: string } => {
  if (!Number.isInteger(now) || now < 1 || now > MAX_TIME) {
    throw new VmInputError(`The time of a run is a number of seconds from 1 to ${MAX_TIME}, ${now} came.`)
  }
  if (randomSeed.length !== 32) {
    throw new VmInputError(`The random seed of a run has 32 bytes, ${randomSeed.length} came.`)
  }
  return { now, randomSeed: toHex(randomSeed) }
}

/**
 * What the emulator calls the levels of its log. At 0 that of a transaction is cut to its last 256 bytes, at 1 to the last
 * megabyte; that of a get-method is whole.
 */
export const verbosityOf: Readonly<Record<VmLogDetail, number>> = { none: 0, steps: 1, gas: 3, stack: 4 }
