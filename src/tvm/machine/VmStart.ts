import type { Cell } from '../../codec/cell/Cell.ts'
import type { GasLimits } from './Gas.ts'
import type { Slice, Tuple, Value } from './values.ts'

/** What a machine begins with. */
export type VmStart = {
  readonly code: Slice
  readonly stack: Value[]
  readonly gas: GasLimits
  readonly data: Cell | undefined
  readonly c7: Tuple | undefined
  /** Whether c3 is the code itself; otherwise a call to it ends the run with 11. */
  readonly sameC3: boolean
  readonly pushZero: boolean
}

/** What is to be done with the results of a run inside this one. */
export type ChildPlan = {
  readonly start: VmStart
  readonly returnData: boolean
  readonly returnActions: boolean
  readonly returnGas: boolean
  readonly isolateGas: boolean
  /** How many values to give back, −1 for all. */
  readonly returnValues: number
}

/** What a run looked at beyond its own code, data and arguments. A result holds as long as these stay the same. */
export class Reads {
  /** Indexes of the context tuple (c7[0]) that were read. */
  readonly context = new Set<number>()
  /** Whether the whole context was taken, so that anything of it may have been read. */
  wholeContext = false
  /** Whether the dictionary of the configuration was taken. */
  configDict = false
  /** Configuration parameters that were looked up one by one. */
  readonly configParams = new Set<number>()
}
