import type { PreviousBlocks } from '../../src/chain/ports.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { libPublishersType, librariesType } from '../../src/codec/tlb/StateInit.ts'
import { encodeVmStack } from '../../src/codec/tlb/VmStack.ts'
import { DEFAULT_VM_STACK_LIMITS } from '../../src/codec/tlb/VmValue.ts'
import { masterchain } from '../../src/primitives/BlockId.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { ExecutorConfig } from '../../src/tvm/executor/ExecutorConfig.ts'
import { toVmStack } from '../../src/tvm/machine/stackValues.ts'
import { Builder, type Value } from '../../src/tvm/machine/values.ts'
import { encodePreviousBlocks } from '../../src/tvm/previousBlocks.ts'
import { knownLibrary } from './vmOperands.ts'
import { madeCells, type VmRequest } from './vmRequests.ts'

// What generated runs have in common: libraries, previous blocks, the account that get-methods run on.

/** A cell as requests carry it; the machine need not decode it again. */
export const toText = (cell: Cell): string => {
  const text = Buffer.from(encodeBoc([cell])).toString('base64')
  if (madeCells.size > 1000) madeCells.clear()
  madeCells.set(text, cell)
  return text
}

/** The libraries of generated runs. */
export const LIBRARIES = toText(
  Dict.of(librariesType, [
    [knownLibrary.hash(), { lib: knownLibrary, publishers: Dict.of(libPublishersType, [[new Uint8Array(32), true]]) }],
  ]).root as Cell,
)

export const stackText = (stack: readonly Value[]): string =>
  Buffer.from(encodeVmStack(toVmStack(stack, DEFAULT_VM_STACK_LIMITS))).toString('base64')

const sampleBlock = (seqno: number) => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: new Uint8Array(32).fill(seqno),
  fileHash: new Uint8Array(32).fill(seqno + 1),
})

const SAMPLE_BLOCKS: PreviousBlocks = {
  last: Array.from({ length: 16 }, (_, k) => sampleBlock(1016 - k)),
  keyBlock: sampleBlock(7),
  lastHundreds: Array.from({ length: 10 }, (_, k) => sampleBlock(1000 - 100 * k)),
}

const previousBlocksText = (version: number): string =>
  Buffer.from(encodePreviousBlocks(SAMPLE_BLOCKS, version)).toString('base64')

/** A get-method of a sample account, but for its code and its configuration. */
export const methodContext = (version: number, limit: number): VmRequest => ({
  kind: 'method',
  now: 1_700_000_000,
  address: `0:${'42'.repeat(32)}`,
  balance: '1234567890',
  randSeed: '37'.repeat(32),
  gas: { limit, max: limit, credit: 0 },
  libs: [LIBRARIES],
  prevBlocks: previousBlocksText(version),
})

/** Code that drops the number of the method first. */
export const prefixDrop = (code: Cell): Cell => {
  const drop = Builder.empty.withInteger(0x30, 8)
  if (code.isExotic || code.bits + 8 > 1023) return drop.withRef(code).toCell()
  let builder = drop.withBits(code.arena.bytes, 8 * code.arena.dataStart[code.index]!, code.bits)
  for (let k = 0; k < code.refCount; k++) builder = builder.withRef(code.ref(k))
  return builder.toCell()
}

export const versionOf = (config: string): number =>
  new ExecutorConfig(decodeSingleBoc(Buffer.from(config, 'base64'))).version
