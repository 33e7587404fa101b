import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { prove } from './merkle.ts'

// Every answer about a state begins with this proof of its block. It lives as long as the store keeps that block's root ready.
const known = new WeakMap<Cell, Cell>()

/** What binds a state to its block: the header, and of the state update the hashes of both its sides. */
export const proveStateRoot = (blockRoot: Cell): Cell => {
  const before = known.get(blockRoot)
  if (before !== undefined) return before
  const { proof } = prove(blockRoot, (root) => {
    const { info, stateUpdate } = openBlock(root)
    openPrevRef(openBlockInfo(info))
    openRaw(stateUpdate)
  })
  // Cells that were just made share their memory with others: read back, these few stand by themselves.
  const compact = decodeSingleBoc(encodeBoc([proof]), { trusted: true })
  known.set(blockRoot, compact)
  return compact
}

/** Both proofs of something in the state after a block, in one bag. */
export const encodeStateProof = (blockRoot: Cell, stateProof: Cell): Uint8Array =>
  encodeBoc([proveStateRoot(blockRoot), stateProof])
