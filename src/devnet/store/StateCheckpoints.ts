import type { Cell } from '../../codec/cell/Cell.ts'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import { listCheckpoints, loadCheckpoint, removeCheckpoint, saveCheckpoint } from './checkpointFiles.ts'
import { ChainDataError } from './errors.ts'
import { reasonOf } from './fileWrites.ts'
import type { StatesAt } from './StateLine.ts'
import { runInSlices } from './slices.ts'
import { matchStates, type StepSource } from './startStates.ts'
import { writeBag } from './writeBag.ts'

export type StateCheckpointsOptions = {
  /** One is written whenever the seqno is a multiple of this. */
  readonly every: number
  /** So many are kept, evenly over the chain: where there are more, each second goes. */
  readonly max: number
  readonly isSynced: boolean
  readonly logger: Logger | undefined
}

/** The newest are kept in any case: should the last turn out unusable, there is one before. */
const NEWEST = 2

/** States on disk, from which those after later blocks can be made. */
export class StateCheckpoints {
  private readonly folder: string
  private readonly options: StateCheckpointsOptions
  private writing: Promise<void> | undefined

  constructor(folder: string, options: StateCheckpointsOptions) {
    this.folder = folder
    this.options = options
  }

  /** The newest up to a masterchain block that is really of this chain; one that is not is removed. */
  async findUpTo(seqno: number, above: number, blocks: StepSource, signal: AbortSignal): Promise<StatesAt | undefined> {
    for (const candidate of listCheckpoints(this.folder).toReversed()) {
      if (candidate > seqno || candidate <= above) continue
      const roots = loadCheckpoint(this.folder, candidate)
      if (roots !== undefined) {
        const found = await this.match(candidate, roots, blocks, signal)
        if (found !== undefined) return found
      }
      this.options.logger?.warn('state checkpoint not usable', { seqno: candidate })
      removeCheckpoint(this.folder, candidate)
    }
    return undefined
  }

  private async match(
    seqno: number,
    roots: readonly Cell[],
    blocks: StepSource,
    signal: AbortSignal,
  ): Promise<StatesAt | undefined> {
    try {
      return await matchStates(seqno, roots, blocks, signal)
    } catch (error) {
      // Only what the bag holds is its fault: a block that cannot be had now says nothing.
      if (error instanceof ChainDataError || (error instanceof CodedError && !error.retryable)) return undefined
      throw error
    }
  }

  /** Begins to write one where it is time for it, after the one before. */
  async offer(states: StatesAt): Promise<void> {
    if (states.id.seqno % this.options.every !== 0) return
    await this.writing
    this.start(states)
  }

  /** Waits for the one that is being written, and writes this one if there is none. */
  async finish(states: StatesAt | undefined): Promise<void> {
    await this.writing
    if (states !== undefined && states.id.seqno > 0) this.start(states)
    await this.writing
  }

  private start(states: StatesAt): void {
    if (this.writing !== undefined || listCheckpoints(this.folder).includes(states.id.seqno)) return
    this.writing = this.write(states).finally(() => {
      this.writing = undefined
    })
  }

  private async write({ id: { seqno }, master, shards }: StatesAt): Promise<void> {
    const { isSynced, logger } = this.options
    const start = performance.now()
    try {
      const bag = await runInSlices(writeBag([master, ...shards.map(({ state }) => state)]))
      const { publish } = await saveCheckpoint(this.folder, seqno, bag, isSynced)
      publish()
      this.thin()
      logger?.debug('state checkpoint written', { seqno, bytes: bag.length, ms: Math.round(performance.now() - start) })
    } catch (error) {
      // Without it the next start takes longer, and nothing else.
      logger?.warn('state checkpoint not written', { seqno, reason: reasonOf(error) })
    }
  }

  private thin(): void {
    const { every, max } = this.options
    const all = listCheckpoints(this.folder)
    const newest = new Set(all.slice(-NEWEST))
    let kept = all
    for (let step = every; kept.length > max && step <= all.at(-1)!; step *= 2) {
      kept = all.filter((seqno) => newest.has(seqno) || seqno % step === 0)
    }
    const wanted = new Set(kept)
    for (const seqno of all) if (!wanted.has(seqno)) removeCheckpoint(this.folder, seqno)
  }
}
