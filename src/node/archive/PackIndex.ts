import { type FileHandle, stat } from 'node:fs/promises'
import { PACK_START } from '../../codec/pack/packFormat.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Semaphore } from '../../primitives/scheduling.ts'
import { EntryTable } from './EntryTable.ts'
import { parseEntryName } from './entryName.ts'
import { describeFileError, isMissing } from './fileErrors.ts'
import {
  type EntryPlace,
  hasPackEntry,
  openPack,
  type PackEntry,
  readPackEntry,
  type ScanEnd,
  scanPack,
} from './packFile.ts'
import { SharedHandle } from './SharedHandle.ts'

// The busiest packages have some hundred thousand. One takes about a hundred bytes of memory.
const MAX_ENTRIES = 1 << 20

export type PackContext = { readonly gate: Semaphore; readonly logger: Logger | undefined }

/** What the file was when it was last looked at. */
type Look = { readonly file: string; readonly size: number; readonly changedNs: bigint }

/** What was found in it. */
type Contents = {
  readonly table: EntryTable
  /** Entries of all kinds, also those that are not in the table. */
  count: number
  lastEntry: PackEntry | undefined
  end: ScanEnd
}

const createContents = (): Contents => ({
  table: new EntryTable(),
  count: 0,
  lastEntry: undefined,
  end: { offset: PACK_START, reason: 'complete' },
})

/**
 * The entries of one package, kept up with a file that may grow, shrink, be replaced or vanish at any time. No descriptor
 * stays open for long.
 */
export class PackIndex {
  readonly path: string
  private readonly context: PackContext
  private look: Look | undefined
  private contents = createContents()
  private updating: Promise<void> = Promise.resolve()
  private readonly handle: SharedHandle

  constructor(path: string, context: PackContext) {
    this.path = path
    this.context = context
    this.handle = new SharedHandle(path, openPack)
  }

  get table(): EntryTable {
    return this.contents.table
  }

  /** Takes in what happened to the file since the last time. */
  update(): Promise<void> {
    const next = this.updating.then(() => this.context.gate(() => this.lookAgain()))
    this.updating = next.catch(() => undefined)
    return next
  }

  /** Makes the next update read the whole file again: an entry was not what it had been. */
  distrust(): void {
    this.look = undefined
  }

  /** The name and the data of an entry, or `undefined` where it is no longer there. */
  read(place: EntryPlace): Promise<{ readonly name: string; readonly data: Uint8Array } | undefined> {
    return this.context.gate(async () => {
      try {
        return await this.handle.use((file) => readPackEntry(file, place))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw describeFileError(error, this.path)
      }
    })
  }

  private async lookAgain(): Promise<void> {
    try {
      const stats = await stat(this.path, { bigint: true })
      const { look } = this
      const isSame =
        look !== undefined &&
        look.file === `${stats.dev}:${stats.ino}` &&
        look.size === Number(stats.size) &&
        look.changedNs === stats.mtimeNs
      // Anything but a file, say a pipe, is never opened.
      if (!stats.isFile()) this.clear()
      else if (!isSame) await this.scan()
    } catch (error) {
      if (!isMissing(error)) throw describeFileError(error, this.path)
      this.clear()
    }
  }

  private clear(): void {
    this.look = undefined
    this.contents = createContents()
  }

  private async scan(): Promise<void> {
    const file = await openPack(this.path)
    try {
      const stats = await file.stat({ bigint: true })
      const look: Look = { file: `${stats.dev}:${stats.ino}`, size: Number(stats.size), changedNs: stats.mtimeNs }
      const { contents } = this
      const before = contents.end.reason
      const isContinued = await this.isContinued(file, look)
      if (isContinued) await scanInto(contents, file, look.size)
      if (!isContinued || contents.end.reason === 'broken') {
        const anew = createContents()
        await scanInto(anew, file, look.size)
        this.contents = anew
      }
      this.look = look
      this.reportProblem(before)
    } finally {
      await file.close()
    }
  }

  /** Whether the file is the one that was looked at before, perhaps with more at its end. */
  private async isContinued(file: FileHandle, look: Look): Promise<boolean> {
    const { end, lastEntry } = this.contents
    if (look.file !== this.look?.file || look.size < end.offset || end.reason === 'broken') return false
    // It may have been cut and have grown again in the meantime. Then something else stands where the last entry was.
    return lastEntry !== undefined && (await hasPackEntry(file, lastEntry))
  }

  private reportProblem(before: ScanEnd['reason']): void {
    const { reason, offset } = this.contents.end
    if (reason === before || (reason !== 'broken' && reason !== 'full')) return
    const problem =
      reason === 'broken'
        ? 'no entry starts where the one before ends; those before are used'
        : `there are more than ${MAX_ENTRIES} entries; those before are used`
    this.context.logger?.warn('package damaged', { path: this.path, offset, problem })
  }
}

const scanInto = async (contents: Contents, file: FileHandle, size: number): Promise<void> => {
  const { table } = contents
  contents.end = await scanPack(file, {
    from: contents.end.offset,
    size,
    maxEntries: MAX_ENTRIES - contents.count,
    onEntry: (entry) => {
      contents.count++
      contents.lastEntry = entry
      const name = parseEntryName(entry.name)
      if (name !== undefined) table.add(name, entry)
    },
  })
}
