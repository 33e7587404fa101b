import type { Cell } from './Cell.ts'
import type { CellArena } from './CellArena.ts'

/** Part of a cell: a range of its bits and of its references. Immutable; read it with `openSlice`. */
export type CellSlice = {
  readonly arena: CellArena
  readonly index: number
  readonly bitStart: number
  readonly bitEnd: number
  readonly refStart: number
  readonly refEnd: number
}

/** The whole content of a cell as a slice. */
export const wholeSlice = ({ arena, index, bits, refCount }: Cell): CellSlice => ({
  arena,
  index,
  bitStart: 0,
  bitEnd: bits,
  refStart: 0,
  refEnd: refCount,
})
