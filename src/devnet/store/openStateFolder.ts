import { mkdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import { removeUnfinishedCheckpoints } from './checkpointFiles.ts'
import { ChainDataError } from './errors.ts'
import { reasonOf } from './fileWrites.ts'
import { StateCheckpoints } from './StateCheckpoints.ts'
import { StateLine, type StateLineOptions, type StatesAt } from './StateLine.ts'
import { matchStates, readStartStates, type StartStates, type StepSource } from './startStates.ts'

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
  /** Drops what is in memory: the next question begins at a checkpoint that fits the blocks as they are then. */
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
const HEAD: Omit<StateLineOptions, 'maxCells'> = { keep: 64, keepCells: 500_000 }
/** Below it, whoever goes back block by block should find as much as possible of what was made to get there. */
const PAST: Omit<StateLineOptions, 'maxCells'> = { keep: 1000, keepCells: 1_000_000 }
/** Blocks that are read before it is their turn. */
const AHEAD = 4
const TURN_MS = 20

/**
 * The states of a chain whose blocks are kept elsewhere, in a folder: checkpoints on disk, from which a start goes on, and in memory
 * those after the newest blocks. One may also go back: then the blocks since a checkpoint are applied once more, beside the newest.
 * Two processes may use one folder: a checkpoint is taken for what it is only where its hashes are those that the blocks state.
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
  private head: StateLine | undefined
  private past: StateLine | undefined
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
  private async findPast(seqno: number, signal: AbortSignal): Promise<StateLine> {
    const { past } = this
    if (past !== undefined && seqno > past.top && seqno - past.top <= this.checkpointEvery) return past
    // There is no need to hold both in memory.
    this.past = undefined
    return this.startLine(seqno, PAST, signal)
  }

  private async startLine(seqno: number, options: typeof HEAD, signal: AbortSignal): Promise<StateLine> {
    const { start, blocks, maxCells } = this
    const found =
      (await this.checkpoints.findUpTo(seqno, start.seqno, blocks, signal)) ??
      start.zeroStates ??
      (await matchStates(start.seqno, start.roots, blocks, signal))
    return new StateLine(found, { ...options, maxCells })
  }

  private async advance(line: StateLine, seqno: number, signal: AbortSignal): Promise<StatesAt> {
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

  private append(line: StateLine, step: Step): void {
    try {
      line.append(step)
    } catch (error) {
      // The blocks before it may have been of a chain that went another way.
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
      // Whoever comes to it sees the failure; until then, nobody looks.
      step.catch(() => undefined)
      reading.push(step)
    }
    signal.throwIfAborted()
    yield await reading.shift()!
  }
}
