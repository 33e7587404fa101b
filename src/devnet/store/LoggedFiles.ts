import { join } from 'node:path'
import type { BlockFiles, StepFiles, StoredFileKind } from './BlockFiles.ts'
import { BlockIndex } from './BlockIndex.ts'
import { ChainLog, encodeStep, readStep } from './ChainLog.ts'
import { ChainDataError } from './errors.ts'
import { reasonOf, type Syncing } from './fileWrites.ts'
import { PackFiles } from './packFiles.ts'

/**
 * Maximum number of steps that the log names but the packages lack: after a power loss without fsync one file may be newer than
 * the other. More missing steps mean that files were removed from the folder.
 */
const MAX_LOST_STEPS = 100

export const logPath = (folder: string): string => join(folder, 'chain.log')

/** What opening a folder found to be unfinished. */
export type Repair = { readonly hadTornRecord: boolean; readonly lostSteps: number; readonly cutPackages: number }

/** Archive packages with a log of what in them is finished: bytes first, then the record that makes them count. */
export class LoggedFiles implements BlockFiles {
  readonly index = new BlockIndex()
  readonly log: ChainLog
  readonly repair: Repair
  private readonly packs: PackFiles
  private isClosed = false

  /** Reads the log, and takes away what in the packages is behind it. */
  constructor(folder: string, isSynced: boolean) {
    const { index } = this
    const packs = new PackFiles(folder, isSynced)
    const sink = {
      takeBlock: (bytes: Uint8Array, row: number, position: number, second: Uint8Array | undefined): void => {
        index.addRow(bytes, row, second)
        packs.addPosition(bytes, position)
      },
    }
    this.packs = packs
    this.log = ChainLog.open(logPath(folder), isSynced, (bytes, at, length) =>
      readStep(bytes, at, length, index.steps + 1, sink),
    )
    try {
      for (const seqno of index.keyBlockSeqnos) packs.startGroup(seqno)
      this.repair = this.cutUnfinished(folder)
    } catch (error) {
      this.close()
      throw error
    }
  }

  *append(step: StepFiles): Syncing {
    this.expectOpen()
    const before = this.packs.count
    yield* this.packs.append(step)
    try {
      const positions = step.blocks.map((_, k) => this.packs.copyPosition(before + k))
      yield* this.log.appending(
        encodeStep(
          step.blocks.map(({ block }) => block),
          positions,
        ),
      )
    } catch (error) {
      this.packs.cutTo(this.log.steps, before)
      throw error
    }
  }

  find(kind: StoredFileKind, number: number): Uint8Array | undefined {
    this.expectOpen()
    return this.packs.find(kind, number)
  }

  locate(number: number): string {
    return this.packs.locate(number)
  }

  /** The log first: what it does not name is no part of the chain, whatever else is left of it. */
  cutTo(steps: number, count: number): void {
    this.expectOpen()
    this.log.cutTo(steps)
    this.packs.cutTo(steps, count)
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.packs.close()
    this.log.close()
  }

  private cutUnfinished(folder: string): Repair {
    const { index, log, packs } = this
    const hadTornRecord = log.hadTornEnd
    const total = log.steps
    const missing = packs.findMissing()
    let cutPackages: number
    try {
      if (missing < packs.count) {
        const steps = index.get(missing).masterSeqno - 1
        if (total - steps > MAX_LOST_STEPS) {
          throw new ChainDataError(
            `The packages in ${folder} lack blocks from masterchain block ${steps + 1} on, but the log names ${total}: files are missing or were cut.`,
          )
        }
        log.cutTo(steps)
        packs.cutTo(steps, index.countAt(steps))
        index.cutTo(steps)
      } else if (hadTornRecord) log.cutRest()
      cutPackages = packs.cutUnknown()
    } catch (cause) {
      if (cause instanceof ChainDataError) throw cause
      throw new ChainDataError(`Cannot truncate the incomplete block set in ${folder}: ${reasonOf(cause)}.`, { cause })
    }
    return { hadTornRecord, lostSteps: total - log.steps, cutPackages }
  }

  private expectOpen(): void {
    if (this.isClosed) throw new ChainDataError('The folder of the chain is closed.')
  }
}
