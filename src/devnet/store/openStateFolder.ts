import { mkdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import {
  listCheckpoints,
  loadCheckpoint,
  removeCheckpoint,
  removeUnfinishedCheckpoints,
  saveCheckpoint,
} from './checkpointFiles.ts'
import { ChainDataError } from './errors.ts'
import { reasonOf } from './fileWrites.ts'
import {
  matchStates,
  readStartStates,
  type StartStates,
  StateHistory,
  type StateHistoryOptions,
  type StatesAt,
  type StepSource,
} from './StateHistory.ts'
import { runInSlices } from './slicedWork.ts'
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
class StateCheckpoints {
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
      this.options.logger?.warn('state checkpoint unusable', { seqno: candidate })
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
      // Only damage in the bag counts: a block that is unavailable now proves nothing.
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
      // Without it only the next start takes longer.
      logger?.warn('state checkpoint write failed', { seqno, reason: reasonOf(error) })
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

export type StateFolderOptions = {
  /** Files with the first states of the chain, or with those after a later masterchain block and the newest of its shards. */
  readonly start: readonly Uint8Array[]
  readonly blocks: StepSource
  readonly checkpointEvery?: number
  readonly maxCheckpoints?: number
  /** With more cells than this it takes no more blocks. */
  readonly maxCells?: number
  /** Waits for the disk with every checkpoint. */
  readonly sync?: boolean
  readonly logger?: Logger | undefined
}

export type StateFolder = {
  /** The masterchain block that the states begin after. */
  readonly firstSeqno: number
  /** The states after a masterchain block, made from the nearest before it that are there. They are made one after another. */
  openAt(masterSeqno: number, signal: AbortSignal): Promise<StatesAt>
  /** Drops what is in memory: the next request begins at a checkpoint that fits the blocks as they are then. */
  forget(): void
  /** Writes down what is newest. */
  close(): Promise<void>
}

/**
 * All cells of the newest states are in memory, about a hundred bytes each, and as much again while they are packed: this is for
 * networks with up to a million accounts or so, not for those whose state does not fit one machine's memory.
 */
const MAX_CELLS = 10_000_000
/** Above what is indexed one block at a time, a few are enough. */
const HEAD: Omit<StateHistoryOptions, 'maxCells'> = { keep: 64, keepCells: 500_000 }
/** Below it, a caller that goes back block by block should find as many cached states as possible. */
const PAST: Omit<StateHistoryOptions, 'maxCells'> = { keep: 1000, keepCells: 1_000_000 }
/** Blocks that are read before it is their turn. */
const AHEAD = 4
const TURN_MS = 20

/**
 * The states of a chain whose blocks are stored elsewhere: checkpoints on disk, from which a start resumes, and in memory the states
 * after the newest blocks. Older states are rebuilt: the blocks since a checkpoint are applied again, beside the newest states.
 * Two processes may share one folder: a checkpoint is used only if its hashes are those that the blocks state.
 */
export const openStateFolder = async (folder: string, options: StateFolderOptions): Promise<StateFolder> => {
  const start = readStartStates(options.start)
  try {
    mkdirSync(folder, { recursive: true })
    removeUnfinishedCheckpoints(folder)
  } catch (cause) {
    if (cause instanceof CodedError || (cause as NodeJS.ErrnoException).syscall === undefined) throw cause
    throw new ChainDataError(`The states in ${folder} cannot be opened: ${reasonOf(cause)}.`, { cause })
  }
  return new KeptFolder(folder, start, options)
}

class KeptFolder implements StateFolder {
  private readonly start: StartStates
  private readonly blocks: StepSource
  private readonly maxCells: number
  private readonly checkpoints: StateCheckpoints
  private readonly checkpointEvery: number
  private head: StateHistory | undefined
  private past: StateHistory | undefined
  private last: Promise<unknown> = Promise.resolve()
  private closing: Promise<void> | undefined

  constructor(folder: string, start: StartStates, options: StateFolderOptions) {
    const { blocks, checkpointEvery = 500, maxCheckpoints = 16, maxCells = MAX_CELLS, sync = true, logger } = options
    this.start = start
    this.blocks = blocks
    this.maxCells = maxCells
    this.checkpointEvery = checkpointEvery
    this.checkpoints = new StateCheckpoints(folder, {
      every: checkpointEvery,
      max: maxCheckpoints,
      isSynced: sync,
      logger,
    })
  }

  get firstSeqno(): number {
    return this.start.seqno
  }

  openAt(seqno: number, signal: AbortSignal): Promise<StatesAt> {
    const turn = this.last.then(() => {
      signal.throwIfAborted()
      if (this.closing !== undefined) throw new ChainDataError('The states are closed.')
      return this.findOrMake(seqno, signal)
    })
    this.last = turn.catch(() => undefined)
    return turn
  }

  forget(): void {
    this.head = undefined
    this.past = undefined
  }

  close(): Promise<void> {
    this.closing ??= this.last.then(() => this.checkpoints.finish(this.head?.find(this.head.top)))
    return this.closing
  }

  private async findOrMake(seqno: number, signal: AbortSignal): Promise<StatesAt> {
    if (seqno < this.firstSeqno) {
      throw new ChainDataError(
        `The states begin after masterchain block ${this.firstSeqno}, those after ${seqno} were asked for.`,
      )
    }
    const known = this.head?.find(seqno) ?? this.past?.find(seqno)
    if (known !== undefined) return known
    const head = this.head ?? (await this.startLine(seqno, HEAD, signal))
    this.head = head
    if (seqno >= head.top) return this.advance(head, seqno, signal)
    const past = await this.findPast(seqno, signal)
    this.past = past
    return this.advance(past, seqno, signal)
  }

  /** Goes on a little from where it stands, or from a checkpoint once more. */
  private async findPast(seqno: number, signal: AbortSignal): Promise<StateHistory> {
    const { past } = this
    if (past !== undefined && seqno > past.top && seqno - past.top <= this.checkpointEvery) return past
    // There is no need to hold both in memory.
    this.past = undefined
    return this.startLine(seqno, PAST, signal)
  }

  private async startLine(seqno: number, options: typeof HEAD, signal: AbortSignal): Promise<StateHistory> {
    const { start, blocks, maxCells } = this
    const found =
      (await this.checkpoints.findUpTo(seqno, start.seqno, blocks, signal)) ??
      start.zeroStates ??
      (await matchStates(start.seqno, start.roots, blocks, signal))
    return new StateHistory(found, { ...options, maxCells })
  }

  private async advance(line: StateHistory, seqno: number, signal: AbortSignal): Promise<StatesAt> {
    let turn = performance.now()
    for await (const step of readSteps(this.blocks, line.top + 1, seqno, signal)) {
      this.append(line, step)
      if (line === this.head) await this.checkpoints.offer(line.find(line.top)!)
      if (performance.now() - turn < TURN_MS) continue
      await nextTurn()
      turn = performance.now()
    }
    return line.find(seqno)!
  }

  private append(line: StateHistory, step: Step): void {
    try {
      line.append(step)
    } catch (error) {
      // The blocks before it may belong to another fork of the chain.
      this.forget()
      throw error
    }
  }
}

type Step = Awaited<ReturnType<StepSource['getStep']>>

/** Blocks in order, some of them read ahead. */
async function* readSteps(blocks: StepSource, first: number, last: number, signal: AbortSignal): AsyncGenerator<Step> {
  const reading: Promise<Step>[] = []
  for (let seqno = first, next = first; seqno <= last; seqno++) {
    for (; next <= last && next < seqno + AHEAD; next++) {
      const step = blocks.getStep(next, signal)
      // The failure surfaces when the value is awaited.
      step.catch(() => undefined)
      reading.push(step)
    }
    signal.throwIfAborted()
    yield await reading.shift()!
  }
}
