import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** In seconds. */
export type ElectionTimes = {
  readonly validatorsElectedFor: number
  readonly electionsStartBefore: number
  readonly electionsEndBefore: number
  readonly stakeHeldFor: number
}

/**
 * _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32
 *   = ConfigParam 15;
 */
export const readElectionTimes = (r: CellReader): ElectionTimes => ({
  validatorsElectedFor: r.readUint(32),
  electionsStartBefore: r.readUint(32),
  electionsEndBefore: r.readUint(32),
  stakeHeldFor: r.readUint(32),
})

export const writeElectionTimes = (w: CellWriter, times: ElectionTimes): void => {
  w.writeUint(times.validatorsElectedFor, 32).writeUint(times.electionsStartBefore, 32)
  w.writeUint(times.electionsEndBefore, 32).writeUint(times.stakeHeldFor, 32)
}
