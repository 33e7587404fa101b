import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type TickTock = { readonly tick: boolean; readonly tock: boolean }

export type StateInit = {
  /** Called split_depth before global version 10. */
  readonly fixedPrefixLength: number | undefined
  readonly special: TickTock | undefined
  readonly code: Cell | undefined
  readonly data: Cell | undefined
  /** Root of a dictionary of SimpleLib by hash; not looked into here. */
  readonly library: Cell | undefined
}

/**
 * _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
 *   library:(Maybe ^Cell) = StateInit;
 */
export const readStateInit = (r: CellReader): StateInit => ({
  fixedPrefixLength: r.readBit() ? r.readUint(5) : undefined,
  special: r.readBit() ? { tick: r.readBit(), tock: r.readBit() } : undefined,
  code: r.readMaybeRefCell(),
  data: r.readMaybeRefCell(),
  library: r.readMaybeRefCell(),
})

export const writeStateInit = (w: CellWriter, init: StateInit): void => {
  w.writeBit(init.fixedPrefixLength !== undefined)
  if (init.fixedPrefixLength !== undefined) w.writeUint(init.fixedPrefixLength, 5)
  w.writeBit(init.special !== undefined)
  if (init.special !== undefined) w.writeBit(init.special.tick).writeBit(init.special.tock)
  w.writeMaybeRef(init.code).writeMaybeRef(init.data).writeMaybeRef(init.library)
}
