import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { applyBlock, stateHashAfter, topsOf } from './applyBlock.ts'
import { type BlockFiles, readBlock } from './BlockFiles.ts'
import type { BlockIndex } from './BlockIndex.ts'
import type { StoredBlock } from './blockRow.ts'
import { type ChainStore, type ChainWatcher, checkBlock, type ZeroState } from './ChainStore.ts'
import { listCheckpoints, loadCheckpoint, removeCheckpoint, saveCheckpoint } from './checkpointFiles.ts'
import { reasonOf } from './fileWrites.ts'
import { StateStore } from './StateStore.ts'
import { runInSlices } from './slicedWork.ts'
import { writeBag } from './writeBag.ts'

export type RestoreOptions = {
  readonly folder: string
  readonly index: BlockIndex
  readonly files: BlockFiles
  readonly zeroStates: readonly ZeroState[]
  readonly keep: number
  readonly keepCells: number | undefined
  /** How often checkpoints are written. */
  readonly checkpointEvery: number
  readonly logger: Logger | undefined
  /** Called after each masterchain block whose states were made again, with the seqno of the last. */
  readonly onProgress: (masterSeqno: number, last: number) => void
}

/** Others in the process have their turn at least this often. */
const TURN_MS = 50

/**
 * Restores the states of the stored blocks: from a checkpoint below all of them, or the first states, and the blocks since. The blocks
 * are checked on the way, so that damage in the newest ones is found at start.
 */
export const restoreStates = async (options: RestoreOptions): Promise<StateStore> => {
  const { index, folder, logger, keep, keepCells, checkpointEvery, zeroStates, onProgress } = options
  const states = new StateStore({ keep, keepCells }, zeroStates)
  const start = orderStarts(listCheckpoints(folder), index.steps, keep, checkpointEvery).find((seqno) => {
    if (seqno === 0) return true
    const isTaken = takeCheckpoint(options, states, seqno)
    if (!isTaken) logger?.warn('checkpoint unusable', { seqno })
    return isTaken
  })
  let turn = performance.now()
  for (let seqno = (start ?? 0) + 1; seqno <= index.steps; seqno++) {
    applyStep(options, states, seqno)
    onProgress(seqno, index.steps)
    if (performance.now() - turn < TURN_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    turn = performance.now()
  }
  return states
}

/**
 * Starting points, the best first; 0 is the first states. Checkpoints at or below the lowest stored block give all states, the newest
 * fastest. Without one, a checkpoint above gives fewer states but avoids applying a long chain from its start.
 */
const orderStarts = (checkpoints: readonly number[], head: number, keep: number, every: number): number[] => {
  const lowest = lowestKept(head, keep)
  const usable = checkpoints.filter((seqno) => seqno <= head)
  const below = usable.filter((seqno) => seqno <= lowest).reverse()
  const above = usable.filter((seqno) => seqno > lowest)
  const isShort = keep === 0 || head <= 2 * (keep + every)
  return [...below, ...(isShort ? [0] : []), ...above, 0]
}

/** The lowest masterchain block whose states are kept when this one is the head; 0 where all are. */
const lowestKept = (head: number, keep: number): number => (keep === 0 ? 0 : Math.max(0, head - keep + 1))

/** Takes up the states of a checkpoint, or none of them where one is not the state that its block has led to. */
const takeCheckpoint = ({ folder, index, files }: RestoreOptions, states: StateStore, seqno: number): boolean => {
  const roots = loadCheckpoint(folder, seqno)
  if (roots === undefined) return false
  const open = (number: number): Cell => decodeSingleBoc(readBlock(files, index, number), { trusted: true })
  const number = index.countAt(seqno) - 1
  const { id } = index.get(number)
  const tops = topsOf({ id, root: open(number) })
  const hashOf = (block: BlockIdExt): Uint8Array | undefined => {
    if (block.seqno === 0) return block.rootHash
    const known = index.findNumber(block)
    return known === undefined ? undefined : stateHashAfter(open(known))
  }
  const ids = [id, ...tops]
  if (roots.length !== ids.length) return false
  const own = roots.map((root) => states.adopt(root))
  const isRight = ids.every((block, k) => {
    const hash = hashOf(block)
    return hash !== undefined && own[k]!.hasHash(hash)
  })
  if (!isRight) return false
  const taken = ids.map((block, k) => ({ block, root: own[k]!, masterSeqno: index.find(block)?.masterSeqno ?? 0 }))
  taken.sort((a, b) => a.masterSeqno - b.masterSeqno)
  for (const { block, root, masterSeqno } of taken) if (block.seqno > 0) states.set(block, root, masterSeqno)
  return true
}

const applyStep = ({ index, files }: RestoreOptions, states: StateStore, seqno: number): void => {
  const end = index.countAt(seqno)
  for (let number = index.countAt(seqno - 1); number < end; number++) {
    const { id } = index.get(number)
    const block = checkBlock(readBlock(files, index, number), id)
    states.set(id, states.adopt(applyBlock(block, (prev) => states.find(prev))), seqno)
    if (number < end - 1) continue
    const needed = new Set(topsOf(block).map(formatBlockIdExt))
    states.dropOld(seqno, (key) => needed.has(key))
  }
}

export type CheckpointerOptions = {
  readonly folder: string
  /** A checkpoint is written when the last is this many masterchain blocks behind. */
  readonly every: number
  /** For how many masterchain blocks back states are kept: the next start makes them from a checkpoint below all of them. */
  readonly keep: number
  readonly isSynced: boolean
  readonly logger: Logger | undefined
}

/** The newest, and one before it should that turn out unusable. */
const KEPT = 2
/** Between the lowest block whose states are kept and the head there are about so many at most. */
const BETWEEN = 4

/** Writes the states of a chain down now and then, so that a start need not make them again from all of its blocks. */
export class Checkpointer implements ChainWatcher {
  private readonly store: ChainStore
  private readonly options: CheckpointerOptions
  private writing: Promise<void> | undefined
  private newest: number
  /** The masterchain block whose states could not be written: the next try is as far from it as from a checkpoint. */
  private failed = 0

  constructor(store: ChainStore, options: CheckpointerOptions) {
    this.store = store
    this.options = options
    this.newest = listCheckpoints(options.folder).at(-1) ?? 0
  }

  appended({ id }: StoredBlock): void {
    if (id.seqno - Math.max(this.newest, this.failed) >= this.options.every) this.start()
  }

  reverted(masterSeqno: number): void {
    const { folder, every } = this.options
    for (const seqno of listCheckpoints(folder)) if (seqno > masterSeqno) removeCheckpoint(folder, seqno)
    this.newest = listCheckpoints(folder).at(-1) ?? 0
    this.failed = 0
    if (masterSeqno - this.newest >= every) this.start()
  }

  /** Writes a checkpoint of the head, unless there is one, after whatever is being written. */
  async finish(): Promise<void> {
    await this.writing
    const head = this.store.head?.id.seqno ?? 0
    if (head > this.newest) this.start()
    await this.writing
  }

  private start(): void {
    if (this.writing !== undefined) return
    this.writing = this.write().finally(() => {
      this.writing = undefined
    })
  }

  private async write(): Promise<void> {
    const { store, options } = this
    const { folder, isSynced, logger } = options
    const { id } = store.head!
    const start = performance.now()
    try {
      const bag = await runInSlices(writeBag([id, ...store.shardTops].map((each) => store.findState(each)!)))
      const { publish, discard } = await saveCheckpoint(folder, id.seqno, bag, isSynced)
      const now = store.findMaster(id.seqno)
      // The chain may have been rewound meanwhile and may have other blocks now.
      if (now === undefined || formatBlockIdExt(now.id) !== formatBlockIdExt(id)) return discard()
      publish()
      this.newest = id.seqno
      this.removeOld()
      logger?.debug('checkpoint written', {
        seqno: id.seqno,
        bytes: bag.length,
        ms: Math.round(performance.now() - start),
      })
    } catch (error) {
      // Without it only the next start takes longer.
      this.failed = id.seqno
      logger?.warn('checkpoint write failed', { seqno: id.seqno, reason: reasonOf(error) })
    }
  }

  private removeOld(): void {
    const { folder, every, keep } = this.options
    const seqnos = listCheckpoints(folder)
    const wanted = new Set([
      ...seqnos.slice(-KEPT),
      ...chooseSpaced(seqnos, lowestKept(this.newest, keep), every, keep),
    ])
    for (const pinned of this.store.pinned) {
      const before = seqnos.findLast((seqno) => seqno <= pinned)
      if (before !== undefined) wanted.add(before)
    }
    for (const seqno of seqnos) if (!wanted.has(seqno)) removeCheckpoint(folder, seqno)
  }
}

/** The newest checkpoint at or below the lowest block that is kept, and those above it as far apart as they may be. */
const chooseSpaced = (seqnos: readonly number[], lowest: number, every: number, keep: number): readonly number[] => {
  // All states derive from the first ones.
  if (keep === 0) return []
  const apart = Math.max(every, Math.ceil(keep / BETWEEN))
  const base = seqnos.findLast((seqno) => seqno <= lowest)
  const chosen = base === undefined ? [] : [base]
  const above = seqnos.filter((seqno) => seqno > (base ?? 0))
  for (const [k, seqno] of above.entries()) {
    const next = above[k + 1]
    if (next === undefined || next - (chosen.at(-1) ?? 0) > apart) chosen.push(seqno)
  }
  return chosen
}
