import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlockProof } from '../../codec/tlb/BlockProof.ts'
import type { BlockSignatures } from '../../codec/tlb/BlockSignatures.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type ChainStore, type CheckedBlock, checkBlock } from '../store/ChainStore.ts'
import { ChainDataError } from '../store/errors.ts'

/** A chain as it lies in files. */
export interface RecordedChain {
  /** The id of a masterchain block, or `undefined` behind the last. */
  findMaster(seqno: number): Promise<BlockIdExt | undefined>
  /** The bytes of a block by its id, or `undefined` where they are not there. */
  findBlock(id: BlockIdExt): Promise<Uint8Array | undefined>
  /** The bytes of the BlockProof of a masterchain block with its signatures, where they were kept. */
  findProof(id: BlockIdExt): Promise<Uint8Array | undefined>
}

export type LoadOptions = {
  readonly signal: AbortSignal
  /** Called after each masterchain block with its seqno and the number of blocks so far. */
  readonly onProgress: (masterSeqno: number, blocks: number) => void
}

/**
 * Takes up a recorded chain from where the store stands: every block checked and applied. Ends behind the last masterchain
 * block; a block that is missing in between, or is not what its id says, is named.
 */
export const loadChain = async (
  store: ChainStore,
  recorded: RecordedChain,
  { signal, onProgress }: LoadOptions,
): Promise<void> => {
  for (let seqno = (store.head?.id.seqno ?? 0) + 1; ; seqno++) {
    signal.throwIfAborted()
    const id = await recorded.findMaster(seqno)
    if (id === undefined) {
      const later = await findLater(recorded, seqno)
      if (later === undefined) return
      throw new ChainDataError(`Masterchain block ${seqno} is missing, but ${formatBlockId(later)} is there.`)
    }
    const loaded = new Map<string, CheckedBlock>()
    const load = async (blockId: BlockIdExt): Promise<CheckedBlock> => {
      const key = formatBlockIdExt(blockId)
      const known = loaded.get(key)
      if (known !== undefined) return known
      const bytes = await recorded.findBlock(blockId)
      if (bytes === undefined) {
        throw new ChainDataError(`Block ${formatBlockId(blockId)} is missing; masterchain block ${seqno} includes it.`)
      }
      const block = checkBlock(bytes, blockId)
      loaded.set(key, block)
      return block
    }
    const master = await load(id)
    const shardBlocks = await store.listIncluded(master, load)
    const proof = await recorded.findProof(id)
    store.append({ master, shardBlocks, signatures: readSignatures(id, proof), proof })
    onProgress(seqno, store.index.count)
  }
}

/** Looks a little further, so that a gap is told from the end. */
const findLater = async (recorded: RecordedChain, missing: number): Promise<BlockIdExt | undefined> => {
  for (let seqno = missing + 1; seqno <= missing + 100; seqno++) {
    const id = await recorded.findMaster(seqno)
    if (id !== undefined) return id
  }
  return undefined
}

const readSignatures = (id: BlockIdExt, proof: Uint8Array | undefined): BlockSignatures | undefined => {
  if (proof === undefined) return undefined
  try {
    return openBlockProof(decodeSingleBoc(proof)).signatures
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`The proof of block ${formatBlockId(id)} cannot be read: ${cause.message}`, { cause })
  }
}
