import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readWhole } from '../cell/wholeCell.ts'

/**
 * A block, its parts not entered: most readers need one of them, and proofs hold no others. Open them with `openBlockInfo`,
 * `openValueFlow`, `readMerkleUpdate` and `openBlockExtra`.
 */
export type Block = {
  readonly globalId: number
  readonly info: Cell
  readonly valueFlow: Cell
  readonly stateUpdate: Cell
  readonly extra: Cell
}

/**
 * block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState)
 *   extra:^BlockExtra = Block;
 */
export const readBlock = (r: CellReader): Block => {
  r.expectTag(0x11ef55aa, 32)
  return {
    globalId: r.readInt(32),
    info: r.readRefCell(),
    valueFlow: r.readRefCell(),
    stateUpdate: r.readRefCell(),
    extra: r.readRefCell(),
  }
}

export const writeBlock = (w: CellWriter, { globalId, info, valueFlow, stateUpdate, extra }: Block): void => {
  w.writeUint(0x11ef55aa, 32).writeInt(globalId, 32)
  w.writeRef(info).writeRef(valueFlow).writeRef(stateUpdate).writeRef(extra)
}

/** The block in a root cell: of a block file, or from inside a Merkle proof. */
export const openBlock = (root: Cell): Block => readWhole(root, readBlock, 'A Block')
