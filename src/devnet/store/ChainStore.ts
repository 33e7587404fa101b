import { listNewShardBlocks, listPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import type { BlockSignatures } from '../../codec/tlb/BlockSignatures.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { applyBlock, topsOf } from './applyBlock.ts'
import { type BlockFiles, readBlock } from './BlockFiles.ts'
import { BlockIndex } from './BlockIndex.ts'
import type { StoredBlock } from './blockRow.ts'
import { ChainDataError } from './errors.ts'
import { finishSyncing, finishSyncingLater, type Syncing } from './fileWrites.ts'
import { SignatureSets } from './SignatureSets.ts'
import { StateStore, type StateStoreOptions } from './StateStore.ts'

/** A block that is checked by itself: its bytes have the hashes of its id. */
export type CheckedBlock = {
  readonly id: BlockIdExt
  readonly bytes: Uint8Array
  readonly root: Cell
  readonly info: BlockInfo
}

/** The two first states of a network. */
export type ZeroState = { readonly id: BlockIdExt; readonly bytes: Uint8Array; readonly root: Cell }

export type MasterStep = {
  readonly master: CheckedBlock
  /** The shard blocks that it is the first to include, each after those it follows. */
  readonly shardBlocks: readonly CheckedBlock[]
  readonly signatures: BlockSignatures | undefined
  /** The proof with these signatures as a file, where there is one to keep. */
  readonly proof?: Uint8Array | undefined
}

/**
 * Block files whose roots are kept ready: reading one takes a tenth of a millisecond, and the hashes that proofs need besides those in the
 * file again some of that. The roots take about three times as much memory.
 */
const ROOT_CACHE_BYTES = 1024 * 1024

/** Reads a block and checks it against the id it is said to have, where one is given. */
export const checkBlock = (bytes: Uint8Array, expected?: BlockIdExt): CheckedBlock => {
  const name = expected === undefined ? 'A block file' : `Block ${formatBlockId(expected)}`
  try {
    const root = decodeSingleBoc(bytes)
    const info = openBlockInfo(openBlock(root).info)
    const { workchain, shard, seqno } = info
    const id = { workchain, shard, seqno, rootHash: root.hash(), fileHash: sha256(bytes) }
    if (expected !== undefined && formatBlockIdExt(id) !== formatBlockIdExt(expected)) {
      throw new ChainDataError(
        `${name} has another id: expected ${formatBlockIdExt(expected)}, but got ${formatBlockIdExt(id)}.`,
      )
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

/** What a chain that was kept somewhere begins with: its blocks, and the states of the newest. */
export type ChainPast = { readonly index: BlockIndex; readonly states: StateStore }

/** Is told what happened to a chain, after it did. */
export interface ChainWatcher {
  appended(head: StoredBlock): void
  reverted(masterSeqno: number): void
}

/**
 * A chain from its first states on: every block is checked, every state is the previous one with the block's update applied.
 * It grows by one masterchain block at a time, with the shard blocks that it is the first to include.
 */
export class ChainStore {
  readonly zeroStates: readonly ZeroState[]
  readonly index: BlockIndex
  private readonly files: BlockFiles
  private roots = new LruCache<Cell>(ROOT_CACHE_BYTES)
  private readonly states: StateStore
  private readonly signatures = new SignatureSets((seqno) => this.findProof(seqno))
  private readonly pins = new Map<number, { times: number; readonly keys: readonly string[] }>()
  private readonly waiting = new Set<() => void>()
  private newest: StoredBlock | undefined
  private newestTops: readonly BlockIdExt[] = []
  private readonly watchers: ChainWatcher[] = []

  constructor(zeroStates: readonly ZeroState[], files: BlockFiles, options: StateStoreOptions, past?: ChainPast) {
    if (zeroStates.every(({ id }) => id.workchain !== masterchain)) {
      throw new ChainDataError('The first state of the masterchain is missing.')
    }
    this.zeroStates = zeroStates
    this.files = files
    this.index = past?.index ?? new BlockIndex()
    this.states = past?.states ?? new StateStore(options, zeroStates)
    this.takeHead()
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
    return this.index.keyBlockSeqnos
  }

  findMaster(seqno: number): StoredBlock | undefined {
    return this.index.findMaster(seqno)
  }

  findSignatures(masterSeqno: number): BlockSignatures | undefined {
    return this.signatures.find(masterSeqno)
  }

  findBytes(id: BlockIdExt): Uint8Array | undefined {
    const number = this.index.findNumber(id)
    return number === undefined ? undefined : readBlock(this.files, this.index, number)
  }

  /** The root of a block that the store has. */
  getRoot(id: BlockIdExt): Cell {
    const key = formatBlockIdExt(id)
    const kept = this.roots.find(key)
    if (kept !== undefined) return kept
    const bytes = this.findBytes(id)
    if (bytes === undefined) throw new ChainDataError(`Block ${formatBlockId(id)} is not in the store.`)
    // All hashes in it were checked before it was appended, and its checksum says that it is still the same.
    const root = decodeSingleBoc(bytes, { trusted: true, believeStored: true })
    this.roots.set(key, root, bytes.length)
    return root
  }

  /** The state after a block, or a first state; `undefined` where it was dropped or never known. */
  findState(id: BlockIdExt): Cell | undefined {
    return this.states.find(id)
  }

  /** Has a watcher told of what happens to the chain. */
  watch(watcher: ChainWatcher): void {
    this.watchers.push(watcher)
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

  /**
   * Appends the next masterchain block with its shard blocks, or nothing if a check or a write fails.
   * The new head becomes visible only after it is stored.
   */
  append(step: MasterStep): void {
    finishSyncing(this.appending(step))
  }

  /** The same without holding up the thread while the disk is busy. Nothing else may change the chain meanwhile. */
  appendLater(step: MasterStep): Promise<void> {
    return finishSyncingLater(this.appending(step))
  }

  private *appending(step: MasterStep): Syncing {
    const release = this.states.hold()
    try {
      yield* this.storing(step)
    } finally {
      release()
    }
    this.dropOldStates()
    for (const watcher of this.watchers) watcher.appended(this.newest!)
    for (const look of [...this.waiting]) look()
  }

  private *storing({ master, shardBlocks, signatures, proof }: MasterStep): Syncing {
    const expected = (this.newest?.id.seqno ?? 0) + 1
    if (master.id.workchain !== masterchain || master.id.seqno !== expected) {
      throw new ChainDataError(`Expected masterchain block ${expected}, but got ${formatBlockId(master.id)}.`)
    }
    const checked = [...shardBlocks, master]
    const fresh = new Map<string, Cell>()
    const findState = (id: BlockIdExt): Cell | undefined => fresh.get(formatBlockIdExt(id)) ?? this.states.find(id)
    const blocks = checked.map((block) => {
      if (block.id.seqno <= this.index.newestSeqno(block.id))
        throw new ChainDataError(`Block ${formatBlockId(block.id)} does not follow the newest of its shard.`)
      fresh.set(formatBlockIdExt(block.id), this.states.adopt(applyBlock(block, findState)))
      return { block: describeBlock(block, expected), bytes: block.bytes }
    })
    const tops = topsOf(master)
    for (const top of tops) {
      if (top.seqno > 0 && findState(top) === undefined)
        throw new ChainDataError(`Masterchain block ${expected} includes ${formatBlockId(top)}, which is missing.`)
    }
    yield* this.files.append({ blocks, proof })
    for (const { block } of blocks) {
      this.index.add(block)
      this.states.set(block.id, fresh.get(formatBlockIdExt(block.id))!, expected)
    }
    if (signatures !== undefined && proof === undefined) this.signatures.keep(expected, signatures)
    this.newest = blocks.at(-1)!.block
    this.newestTops = tops
  }

  /** Keeps the states of a masterchain block and of the shard blocks it names, so that the chain can be taken back to it. */
  pin(masterSeqno: number): void {
    const pinned = this.pins.get(masterSeqno)
    if (pinned !== undefined) pinned.times++
    else this.pins.set(masterSeqno, { times: 1, keys: this.listStates(masterSeqno) })
  }

  /** Takes back one {@link pin}. */
  unpin(masterSeqno: number): void {
    const pinned = this.pins.get(masterSeqno)
    if (pinned !== undefined && --pinned.times === 0) this.pins.delete(masterSeqno)
  }

  /** Seqnos of masterchain blocks that are pinned. */
  get pinned(): readonly number[] {
    return [...this.pins.keys()]
  }

  /** Takes the chain back to a masterchain block (0: to the first states), whose states must be there: {@link pin} it. */
  revertTo(masterSeqno: number): void {
    this.listStates(masterSeqno)
    this.files.cutTo(masterSeqno, this.index.countAt(masterSeqno))
    this.index.cutTo(masterSeqno)
    this.states.removeAfter(masterSeqno)
    this.signatures.removeAfter(masterSeqno)
    this.roots = new LruCache(ROOT_CACHE_BYTES)
    for (const seqno of this.pins.keys()) if (seqno > masterSeqno) this.pins.delete(seqno)
    this.takeHead()
    for (const watcher of this.watchers) watcher.reverted(masterSeqno)
  }

  /** Names the states that belong to a masterchain block, all of which are there. */
  private listStates(masterSeqno: number): readonly string[] {
    if (masterSeqno === 0) return this.zeroStates.map(({ id }) => formatBlockIdExt(id))
    const master = this.findMaster(masterSeqno)
    if (master === undefined) throw new ChainDataError(`Masterchain block ${masterSeqno} is not in the store.`)
    const ids = [master.id, ...topsOf({ id: master.id, root: this.getRoot(master.id) })]
    const missing = ids.find((id) => this.states.find(id) === undefined)
    if (missing !== undefined) {
      throw new ChainDataError(
        `The chain cannot be taken back to masterchain block ${masterSeqno}: the state after ${formatBlockId(missing)} is not kept any more.`,
      )
    }
    return ids.map(formatBlockIdExt)
  }

  private takeHead(): void {
    this.newest = this.index.findMaster(this.index.steps)
    this.newestTops =
      this.newest === undefined ? [] : topsOf({ id: this.newest.id, root: this.getRoot(this.newest.id) })
  }

  private dropOldStates(): void {
    const needed = new Set(this.newestTops.map(formatBlockIdExt))
    for (const { keys } of this.pins.values()) for (const key of keys) needed.add(key)
    this.states.dropOld(this.newest!.id.seqno, (key) => needed.has(key))
  }

  private findProof(masterSeqno: number): Uint8Array | undefined {
    const number = this.index.countAt(masterSeqno) - 1
    return masterSeqno < 1 || masterSeqno > this.index.steps ? undefined : this.files.find('proof', number)
  }
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
