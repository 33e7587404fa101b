import { mkdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/CodedError.ts'
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
  return createFolder(folder, start, options)
}

const createFolder = (
  folder: string,
  start: StartStates,
  { blocks, checkpointEvery = 500, maxCheckpoints = 16, maxCells = MAX_CELLS, sync = true, logger }: StateFolderOptions,
): StateFolder => {
  const checkpoints = new StateCheckpoints(folder, {
    every: checkpointEvery,
    max: maxCheckpoints,
    isSynced: sync,
    logger,
  })
  let head: StateLine | undefined
  let past: StateLine | undefined

  const startLine = async (seqno: number, options: typeof HEAD, signal: AbortSignal): Promise<StateLine> => {
    const found =
      (await checkpoints.findUpTo(seqno, start.seqno, blocks, signal)) ??
      start.zeroStates ??
      (await matchStates(start.seqno, start.roots, blocks, signal))
    return new StateLine(found, { ...options, maxCells })
  }

  const forget = (): void => {
    head = undefined
    past = undefined
  }

  const append = (line: StateLine, step: Step): void => {
    try {
      line.append(step)
    } catch (error) {
      // The blocks before it may have been of a chain that went another way.
      forget()
      throw error
    }
  }

  const advance = async (line: StateLine, seqno: number, signal: AbortSignal): Promise<StatesAt> => {
    let turn = performance.now()
    for await (const step of readSteps(blocks, line.top + 1, seqno, signal)) {
      append(line, step)
      if (line === head) checkpoints.offer(line.find(line.top)!)
      if (performance.now() - turn < TURN_MS) continue
      await nextTurn()
      turn = performance.now()
    }
    return line.find(seqno)!
  }

  const openAt = async (seqno: number, signal: AbortSignal): Promise<StatesAt> => {
    if (seqno < start.seqno) {
      throw new ChainDataError(
        `The states begin after masterchain block ${start.seqno}, those after ${seqno} were asked for.`,
      )
    }
    const known = head?.find(seqno) ?? past?.find(seqno)
    if (known !== undefined) return known
    head ??= await startLine(seqno, HEAD, signal)
    if (seqno >= head.top) return advance(head, seqno, signal)
    // A little further up from where it stands, or from a checkpoint once more.
    const isNear = past !== undefined && seqno > past.top && seqno - past.top <= checkpointEvery
    if (past === undefined || !isNear) {
      past = undefined
      past = await startLine(seqno, PAST, signal)
    }
    return advance(past, seqno, signal)
  }

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  let closing: Promise<void> | undefined
  return {
    firstSeqno: start.seqno,
    openAt: (seqno, signal) =>
      inTurn(() => {
        signal.throwIfAborted()
        if (closing !== undefined) throw new ChainDataError('The states are closed.')
        return openAt(seqno, signal)
      }),
    forget,
    close: () => {
      closing ??= last.then(() => checkpoints.finish(head?.find(head.top)))
      return closing
    },
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
