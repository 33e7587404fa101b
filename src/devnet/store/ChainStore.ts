import { listNewShardBlocks, listPreviousBlocks, listShardTops } from '../../chain/newShardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { applyMerkleUpdate } from '../../codec/cell/merkleUpdate.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockExtra } from '../../codec/tlb/BlockExtra.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import type { BlockSignatures } from '../../codec/tlb/BlockSignatures.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { openShardState, writeShardState } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/CodedError.ts'
import { SizedCache } from '../../primitives/SizedCache.ts'
import { sha256 } from '../../primitives/sha256.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { BlockIndex } from './BlockIndex.ts'
import { ChainDataError } from './errors.ts'
import { StateStore, type StateStoreOptions } from './StateStore.ts'
import type { StoredBlock } from './StoredBlock.ts'

/** A block that is checked by itself: its bytes have the hashes of its id. */
export type CheckedBlock = {
  readonly id: BlockIdExt
  readonly bytes: Uint8Array
  readonly root: Cell
  readonly info: BlockInfo
}

/** The two first states of a network. */
export type ZeroState = { readonly id: BlockIdExt; readonly bytes: Uint8Array; readonly root: Cell }

/** What is kept of a block: itself, and in the masterchain its proof with signatures. */
export type StoredFileKind = 'block' | 'proof'

/** Where the bytes of blocks are kept: in memory, or in archive packages. */
export interface BlockFiles {
  /** Says that a key block follows. */
  startGroup(masterSeqno: number): void
  put(kind: StoredFileKind, id: BlockIdExt, bytes: Uint8Array, masterSeqno: number): void
  get(id: BlockIdExt): Uint8Array | undefined
}

export type MasterStep = {
  readonly master: CheckedBlock
  /** The shard blocks that it is the first to include, each after those it follows. */
  readonly shardBlocks: readonly CheckedBlock[]
  readonly signatures: BlockSignatures | undefined
  /** The proof with these signatures as a file, where there is one to keep. */
  readonly proof?: Uint8Array | undefined
}

/**
 * Block files whose roots are kept ready: reading one takes a tenth of a millisecond, and hashing its cells, which every proof
 * needs, six times that. The roots take about three times as much memory.
 */
const ROOT_CACHE_BYTES = 16 * 1024 * 1024

/** Reads a block and checks it against the id it is said to have, where one is given. */
export const checkBlock = (bytes: Uint8Array, expected?: BlockIdExt): CheckedBlock => {
  const name = expected === undefined ? 'A block file' : `Block ${formatBlockId(expected)}`
  try {
    const root = decodeSingleBoc(bytes)
    const info = openBlockInfo(openBlock(root).info)
    const { workchain, shard, seqno } = info
    const id = { workchain, shard, seqno, rootHash: root.hash(), fileHash: sha256(bytes) }
    if (expected !== undefined && formatBlockIdExt(id) !== formatBlockIdExt(expected)) {
      throw new ChainDataError(`${name} is in truth ${formatBlockIdExt(id)}, not ${formatBlockIdExt(expected)}.`)
    }
    return { id, bytes, root, info }
  } catch (cause) {
    if (cause instanceof ChainDataError || !(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`${name} cannot be read: ${cause.message}`, { cause })
  }
}

/** Reads the file of a first state. */
export const checkZeroState = (bytes: Uint8Array): ZeroState => {
  try {
    const root = decodeSingleBoc(bytes)
    const state = openShardState(root)
    if (state.kind !== 'unsplit' || state.seqno !== 0)
      throw new ChainDataError('A state file is not the first state of a chain.')
    const { workchain } = state.shard
    return {
      id: { workchain, shard: wholeShard, seqno: 0, rootHash: root.hash(), fileHash: sha256(bytes) },
      bytes,
      root,
    }
  } catch (cause) {
    if (cause instanceof ChainDataError || !(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`A state file cannot be read: ${cause.message}`, { cause })
  }
}

/**
 * A chain from its first states on: every block checked, every state made by the block's own update from the one before.
 * It grows by one masterchain block at a time, with the shard blocks that it is the first to include.
 */
export class ChainStore {
  readonly zeroStates: readonly ZeroState[]
  readonly index = new BlockIndex()
  private readonly files: BlockFiles
  private readonly roots = new SizedCache<Cell>(ROOT_CACHE_BYTES)
  private readonly states: StateStore
  private readonly signatures = new Map<number, BlockSignatures>()
  private readonly keyBlocks: number[] = []
  private readonly waiting = new Set<() => void>()
  private newest: StoredBlock | undefined
  private newestTops: readonly BlockIdExt[] = []

  constructor(zeroStates: readonly ZeroState[], files: BlockFiles, options: StateStoreOptions) {
    this.zeroStates = zeroStates
    this.files = files
    this.states = new StateStore(options)
    for (const { id, root } of zeroStates) this.states.set(id, root, 0)
    if (zeroStates.every(({ id }) => id.workchain !== masterchain)) {
      throw new ChainDataError('The first state of the masterchain is missing.')
    }
  }

  get zeroState(): BlockIdExt {
    return this.zeroStates.find(({ id }) => id.workchain === masterchain)!.id
  }

  /** The newest masterchain block; `undefined` before the first. */
  get head(): StoredBlock | undefined {
    return this.newest
  }

  /** The newest block of every shard as the head names them; those with seqno 0 are first states. */
  get shardTops(): readonly BlockIdExt[] {
    return this.newestTops
  }

  /** Seqnos of the key blocks, ascending. */
  get keyBlockSeqnos(): readonly number[] {
    return this.keyBlocks
  }

  findMaster(seqno: number): StoredBlock | undefined {
    return this.index.findBySeqno(masterchain, wholeShard, seqno)
  }

  findSignatures(masterSeqno: number): BlockSignatures | undefined {
    return this.signatures.get(masterSeqno)
  }

  findBytes(id: BlockIdExt): Uint8Array | undefined {
    return this.files.get(id)
  }

  /** The root of a block that the store has. */
  getRoot(id: BlockIdExt): Cell {
    const key = formatBlockIdExt(id)
    const kept = this.roots.find(key)
    if (kept !== undefined) return kept
    const bytes = this.files.get(id)
    if (bytes === undefined) throw new ChainDataError(`Block ${formatBlockId(id)} is not in the store.`)
    const root = decodeSingleBoc(bytes, { trusted: true })
    this.roots.set(key, root, bytes.length)
    return root
  }

  /** The state after a block, or a first state; `undefined` where it was dropped or never known. */
  findState(id: BlockIdExt): Cell | undefined {
    return this.states.find(id)
  }

  /** Resolves when the masterchain has reached this block; rejects as the signal says. */
  waitForMaster(seqno: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const isThere = (): boolean => (this.newest?.id.seqno ?? 0) >= seqno
      const finish = (): void => {
        this.waiting.delete(look)
        signal.removeEventListener('abort', onAbort)
      }
      const look = (): void => {
        if (!isThere()) return
        finish()
        resolve()
      }
      const onAbort = (): void => {
        finish()
        reject(signal.reason)
      }
      if (isThere()) return resolve()
      if (signal.aborted) return reject(signal.reason)
      this.waiting.add(look)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** What a masterchain block includes for the first time, by the blocks at hand; a missing one is named. */
  async listIncluded(
    master: CheckedBlock,
    getBlock: (id: BlockIdExt) => CheckedBlock | Promise<CheckedBlock>,
  ): Promise<CheckedBlock[]> {
    const getPrevious = async (id: BlockIdExt): Promise<BlockIdExt[]> => listPreviousBlocks((await getBlock(id)).info)
    const ids = await listNewShardBlocks(this.newestTops, topsOf(master), getPrevious)
    return Promise.all(ids.map(getBlock))
  }

  /** Takes the next masterchain block with its shard blocks, or nothing of it where anything is wrong. */
  append({ master, shardBlocks, signatures, proof }: MasterStep): void {
    const expected = (this.newest?.id.seqno ?? 0) + 1
    if (master.id.workchain !== masterchain || master.id.seqno !== expected) {
      throw new ChainDataError(`Masterchain block ${expected} should follow, ${formatBlockId(master.id)} came.`)
    }
    const blocks = [...shardBlocks, master]
    const fresh = new Map<string, Cell>()
    const findState = (id: BlockIdExt): Cell | undefined => fresh.get(formatBlockIdExt(id)) ?? this.states.find(id)
    for (const block of blocks) fresh.set(formatBlockIdExt(block.id), applyBlock(block, findState))
    if (master.info.keyBlock) this.files.startGroup(expected)
    for (const block of blocks) {
      this.states.set(block.id, fresh.get(formatBlockIdExt(block.id))!, expected)
      this.files.put('block', block.id, block.bytes, expected)
      this.index.add(describeBlock(block, expected))
    }
    if (proof !== undefined) this.files.put('proof', master.id, proof, expected)
    if (signatures !== undefined) this.signatures.set(expected, signatures)
    if (master.info.keyBlock) this.keyBlocks.push(expected)
    this.newest = this.index.find(master.id)
    this.newestTops = topsOf(master)
    const needed = new Set(this.newestTops.map(formatBlockIdExt))
    this.states.dropOld(expected, (key) => needed.has(key))
    for (const look of [...this.waiting]) look()
  }
}

const topsOf = ({ id, root }: CheckedBlock): readonly BlockIdExt[] => {
  const { custom } = openBlockExtra(openBlock(root).extra)
  if (custom === undefined)
    throw new ChainDataError(`Masterchain block ${formatBlockId(id)} does not say what its shards are.`)
  return listShardTops(openMcBlockExtra(custom).shardHashes)
}

const describeBlock = ({ id, info }: CheckedBlock, masterSeqno: number): StoredBlock => ({
  id,
  genUtime: info.genUtime,
  startLt: info.startLt,
  endLt: info.endLt,
  isKeyBlock: info.keyBlock,
  prevKeyBlockSeqno: info.prevKeyBlockSeqno,
  prev: listPreviousBlocks(info),
  masterSeqno,
})

/** The state after a block, from the state or states before it. */
const applyBlock = ({ id, info, root }: CheckedBlock, findState: (id: BlockIdExt) => Cell | undefined): Cell => {
  const before = listPreviousBlocks(info).map((prev) => {
    const state = findState(prev)
    if (state === undefined)
      throw new ChainDataError(`Block ${formatBlockId(id)} follows ${formatBlockId(prev)}, which is missing.`)
    return state
  })
  const [left, right] = before
  const old = right === undefined ? left! : joinStates(left!, right)
  try {
    return applyMerkleUpdate(old, openBlock(root).stateUpdate)
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`The state update of block ${formatBlockId(id)} does not fit: ${cause.message}`, { cause })
  }
}

const joinStates = (left: Cell, right: Cell): Cell => writeWhole(writeShardState, { kind: 'split', left, right })
