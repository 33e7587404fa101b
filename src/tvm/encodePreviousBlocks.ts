import type { PreviousBlocks } from '../chain/ports.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import { writeVmStackValue } from '../codec/tlb/VmStack.ts'
import type { VmValue } from '../codec/tlb/VmValue.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { bytesToBigint } from '../primitives/bytes.ts'

/** From this global version on code sees every hundredth block too. */
const HUNDREDS_VERSION = 9

const encodeValue = (value: VmValue): Uint8Array =>
  encodeBoc([writeWhole((w, entry: VmValue) => writeVmStackValue(w, entry), value)])

const NO_BLOCKS = encodeValue({ kind: 'null' })

// A network that runs has one set of blocks for many runs.
const encoded = new WeakMap<PreviousBlocks, { readonly withHundreds: boolean; readonly bytes: Uint8Array }>()

/** The blocks as a value on the stack of the virtual machine; null where none are known. */
export const encodePreviousBlocks = (blocks: PreviousBlocks | undefined, globalVersion: number): Uint8Array => {
  if (blocks === undefined) return NO_BLOCKS
  const withHundreds = globalVersion >= HUNDREDS_VERSION
  const known = encoded.get(blocks)
  if (known?.withHundreds === withHundreds) return known.bytes
  const parts = [tuple(blocks.last.map(blockTuple)), blockTuple(blocks.keyBlock)]
  if (withHundreds) parts.push(tuple(blocks.lastHundreds.map(blockTuple)))
  const bytes = encodeValue(tuple(parts))
  encoded.set(blocks, { withHundreds, bytes })
  return bytes
}

const tuple = (items: readonly VmValue[]): VmValue => ({ kind: 'tuple', items })

const int = (value: bigint): VmValue => ({ kind: 'int', value })

const blockTuple = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): VmValue =>
  tuple([BigInt(workchain), shard, BigInt(seqno), bytesToBigint(rootHash), bytesToBigint(fileHash)].map(int))
