import type { PreviousBlocks } from '../chain/ports.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import { writeVmStackValue } from '../codec/tlb/VmStack.ts'
import type { VmValue } from '../codec/tlb/VmValue.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { bytesToBigint } from '../primitives/bytes.ts'
import { fromVmValue } from './machine/stackValues.ts'
import type { Value } from './machine/values.ts'

/** From this global version on code sees every hundredth block too. */
const HUNDREDS_VERSION = 9

type Described = {
  readonly withHundreds: boolean
  readonly value: VmValue
  readonly machine: Value
  bytes?: Uint8Array
}

const describe = (value: VmValue, withHundreds: boolean): Described => ({
  withHundreds,
  value,
  machine: fromVmValue(value),
})

const NO_BLOCKS = describe({ kind: 'null' }, false)

// A network that runs has one set of blocks for many runs.
const described = new WeakMap<PreviousBlocks, Described>()

const describeBlocks = (blocks: PreviousBlocks | undefined, globalVersion: number): Described => {
  if (blocks === undefined) return NO_BLOCKS
  const withHundreds = globalVersion >= HUNDREDS_VERSION
  const known = described.get(blocks)
  if (known?.withHundreds === withHundreds) return known
  const parts = [tuple(blocks.last.map(blockTuple)), blockTuple(blocks.keyBlock)]
  if (withHundreds) parts.push(tuple(blocks.lastHundreds.map(blockTuple)))
  const made = describe(tuple(parts), withHundreds)
  described.set(blocks, made)
  return made
}

/** The blocks as a value of the machine; null where none are known. */
export const previousBlocksValue = (blocks: PreviousBlocks | undefined, globalVersion: number): Value =>
  describeBlocks(blocks, globalVersion).machine

/** The same as a bag of cells, for another thread. */
export const encodePreviousBlocks = (blocks: PreviousBlocks | undefined, globalVersion: number): Uint8Array => {
  const known = describeBlocks(blocks, globalVersion)
  known.bytes ??= encodeBoc([writeWhole((w, entry: VmValue) => writeVmStackValue(w, entry), known.value)])
  return known.bytes
}

const tuple = (items: readonly VmValue[]): VmValue => ({ kind: 'tuple', items })

const int = (value: bigint): VmValue => ({ kind: 'int', value })

const blockTuple = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): VmValue =>
  tuple([BigInt(workchain), shard, BigInt(seqno), bytesToBigint(rootHash), bytesToBigint(fileHash)].map(int))
