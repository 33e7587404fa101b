import type { Logger } from '../../observe/Logger.ts'
import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import type { ChainStore, ChainWatcher } from './ChainStore.ts'
import { listCheckpoints, removeCheckpoint, saveCheckpoint } from './checkpointFiles.ts'
import { reasonOf } from './fileWrites.ts'
import { lowestKept } from './restoreStates.ts'
import type { StoredBlock } from './StoredBlock.ts'
import { runInSlices } from './slices.ts'
import { writeBag } from './writeBag.ts'

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
      // The chain may have been taken back meanwhile, and may have gone another way since.
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
      // Without it the next start takes longer, and nothing else.
      this.failed = id.seqno
      logger?.warn('checkpoint not written', { seqno: id.seqno, reason: reasonOf(error) })
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
  // All states are made from the first ones.
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
