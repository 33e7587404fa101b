import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { prove } from './merkle.ts'

/** What binds a state to its block: the header, and of the state update the hashes of both its sides. */
export const proveStateRoot = (blockRoot: Cell): Cell =>
  prove(blockRoot, (root) => {
    const { info, stateUpdate } = openBlock(root)
    openPrevRef(openBlockInfo(info))
    openRaw(stateUpdate)
  }).proof

/** Both proofs of something in the state after a block, in one bag. */
export const encodeStateProof = (blockRoot: Cell, stateProof: Cell): Uint8Array =>
  encodeBoc([proveStateRoot(blockRoot), stateProof])
