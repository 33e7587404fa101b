import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openMasterBlockExtra } from './masterBlock.ts'
import { prove } from './merkle.ts'
import { visitAll } from './visitAll.ts'

const STATE_UPDATE = 1
const VALUE_FLOW = 2
const EXTRA = 16
const SHARD_HASHES = 32
const PREV_SIGNATURES = 64

/** Proves a header, with the parts of the block that the bits of `mode` name; bits that mean nothing are passed over. */
export const encodeHeaderProof = (blockRoot: Cell, mode: number): Uint8Array => {
  const { proof } = prove(blockRoot, (root) => {
    const { info, valueFlow, stateUpdate, extra } = openBlock(root)
    const header = openBlockInfo(info)
    if ((mode & STATE_UPDATE) !== 0) openRaw(stateUpdate)
    visitAll(header.prevRef)
    if ((mode & VALUE_FLOW) !== 0) visitAll(valueFlow)
    if ((mode & EXTRA) === 0) return
    openBlockExtra(extra)
    if (header.masterRef !== undefined) return
    const { shardHashes, prevBlkSignatures } = openMasterBlockExtra(root)
    if ((mode & SHARD_HASHES) !== 0) visitAll(shardHashes.root as Cell | undefined)
    if ((mode & PREV_SIGNATURES) !== 0) visitAll(prevBlkSignatures.root as Cell | undefined)
  })
  return encodeBoc([proof])
}
