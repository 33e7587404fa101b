import { type FileHandle, stat } from 'node:fs/promises'
import { PACK_START } from '../../codec/pack/packFormat.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type BlockId, type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import type { Semaphore } from '../../primitives/scheduling.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import { describeFileError, isMissing } from './fileErrors.ts'
import {
  type EntryKind,
  type EntryName,
  type EntryPosition,
  entryKinds,
  hasPackEntry,
  openPack,
  type PackEntry,
  parseEntryName,
  readPackEntry,
  type ScanEnd,
  SharedHandle,
  scanPack,
} from './packFile.ts'

const HASHES = 64

const createColumns = (capacity: number) => ({
  kind: new Uint8Array(capacity),
  nameLength: new Uint8Array(capacity),
  workchain: new Int32Array(capacity),
  seqno: new Uint32Array(capacity),
  shard: new BigUint64Array(capacity),
  offset: new Float64Array(capacity),
  dataLength: new Uint32Array(capacity),
  hashes: new Uint8Array(capacity * HASHES),
})

/**
 * The entries of a package, in its order: offset and kind of each, 94 bytes apiece. Lookups go over the column of
 * seqnos from the end, a few microseconds for the thousands of entries of a usual package.
 */
export class EntryTable {
  count = 0
  private columns = createColumns(0)

  add({ kind, id }: EntryName, { offset, nameLength, dataLength }: EntryPosition): void {
    const at = this.count
    if (at === this.columns.kind.length) this.grow()
    const columns = this.columns
    columns.kind[at] = entryKinds.indexOf(kind)
    columns.nameLength[at] = nameLength
    columns.workchain[at] = id.workchain
    columns.seqno[at] = id.seqno
    columns.shard[at] = id.shard
    columns.offset[at] = offset
    columns.dataLength[at] = dataLength
    columns.hashes.set(id.rootHash, at * HASHES)
    columns.hashes.set(id.fileHash, at * HASHES + 32)
    this.count++
  }

  /** Every copy of an entry, the last one first. */
  find(kind: EntryKind, id: BlockIdExt): EntryPosition[] {
    const { columns } = this
    const wanted = entryKinds.indexOf(kind)
    const positions: EntryPosition[] = []
    for (let i = this.count - 1; i >= 0; i--) {
      if (columns.seqno[i] !== id.seqno || columns.kind[i] !== wanted || !this.isBlock(i, id)) continue
      positions.push({
        offset: columns.offset[i]!,
        nameLength: columns.nameLength[i]!,
        dataLength: columns.dataLength[i]!,
      })
    }
    return positions
  }

  /** The newest masterchain block with at most this seqno; of several with one seqno, the last in the file. */
  findMasterchainBlock(maxSeqno: number): BlockIdExt | undefined {
    const { workchain, kind, seqno } = this.columns
    let best = -1
    for (let i = this.count - 1; i >= 0; i--) {
      if (workchain[i] !== masterchain || kind[i] !== 0 || seqno[i]! > maxSeqno) continue
      if (best < 0 || seqno[i]! > seqno[best]!) best = i
    }
    return best < 0 ? undefined : this.idAt(best)
  }

  /** The lowest and the highest seqno of entries whose shard has accounts in common with the given one. */
  findSeqnoRange({ workchain, shard }: BlockId): readonly [lowest: number, highest: number] | undefined {
    const { columns } = this
    let lowest = Number.POSITIVE_INFINITY
    let highest = -1
    for (let i = 0; i < this.count; i++) {
      if (columns.workchain[i] !== workchain) continue
      const other = columns.shard[i]!
      if (other !== shard && !isShardAncestor(other, shard) && !isShardAncestor(shard, other)) continue
      lowest = Math.min(lowest, columns.seqno[i]!)
      highest = Math.max(highest, columns.seqno[i]!)
    }
    return highest < 0 ? undefined : [lowest, highest]
  }

  /** The blocks, each once, in the order of their last copies. */
  listBlocks(): BlockIdExt[] {
    const blocks = new Map<string, BlockIdExt>()
    for (let i = 0; i < this.count; i++) {
      if (this.columns.kind[i] !== 0) continue
      const hashes = this.columns.hashes.subarray(i * HASHES, (i + 1) * HASHES)
      const key = Buffer.from(hashes.buffer, hashes.byteOffset, HASHES).toString('latin1')
      blocks.delete(key)
      blocks.set(key, this.idAt(i))
    }
    return [...blocks.values()]
  }

  private isBlock(i: number, id: BlockIdExt): boolean {
    const { workchain, shard, hashes } = this.columns
    if (workchain[i] !== id.workchain || shard[i] !== id.shard) return false
    for (let k = 0; k < 32; k++) {
      if (hashes[i * HASHES + k] !== id.rootHash[k] || hashes[i * HASHES + 32 + k] !== id.fileHash[k]) return false
    }
    return true
  }

  private idAt(i: number): BlockIdExt {
    const { workchain, shard, seqno, hashes } = this.columns
    return {
      workchain: workchain[i]!,
      shard: shard[i]!,
      seqno: seqno[i]!,
      rootHash: hashes.slice(i * HASHES, i * HASHES + 32),
      fileHash: hashes.slice(i * HASHES + 32, (i + 1) * HASHES),
    }
  }

  private grow(): void {
    const old = this.columns
    const grown = createColumns(old.kind.length === 0 ? 64 : old.kind.length * 2)
    grown.kind.set(old.kind)
    grown.nameLength.set(old.nameLength)
    grown.workchain.set(old.workchain)
    grown.seqno.set(old.seqno)
    grown.shard.set(old.shard)
    grown.offset.set(old.offset)
    grown.dataLength.set(old.dataLength)
    grown.hashes.set(old.hashes)
    this.columns = grown
  }
}

// The busiest packages have some hundred thousand. One takes about a hundred bytes of memory.
const MAX_ENTRIES = 1 << 20

type PackContext = { readonly gate: Semaphore; readonly logger: Logger | undefined }

/** The file at the last update. */
type Look = { readonly file: string; readonly size: number; readonly changedNs: bigint }

/** The entries found in it. */
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

  /** Updates the index with the changes of the file. */
  update(): Promise<void> {
    const next = this.updating.then(() => this.context.gate(() => this.lookAgain()))
    this.updating = next.catch(() => undefined)
    return next
  }

  /** Makes the next update read the whole file again because an entry has changed. */
  distrust(): void {
    this.look = undefined
  }

  /** The name and the data of an entry, or `undefined` if it is no longer there. */
  read(position: EntryPosition): Promise<{ readonly name: string; readonly data: Uint8Array } | undefined> {
    return this.context.gate(async () => {
      try {
        return await this.handle.use((file) => readPackEntry(file, position))
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
      // Only regular files are opened (no pipes).
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

  /** Whether the file is the same as before, perhaps longer. */
  private async isContinued(file: FileHandle, look: Look): Promise<boolean> {
    const { end, lastEntry } = this.contents
    if (look.file !== this.look?.file || look.size < end.offset || end.reason === 'broken') return false
    // It may have been truncated and have grown again. Then the last entry has changed.
    return lastEntry !== undefined && (await hasPackEntry(file, lastEntry))
  }

  private reportProblem(before: ScanEnd['reason']): void {
    const { reason, offset } = this.contents.end
    if (reason === before || (reason !== 'broken' && reason !== 'full')) return
    const problem =
      reason === 'broken'
        ? 'no entry starts where the one before ends; those before are used'
        : `there are more than ${MAX_ENTRIES} entries; those before are used`
    this.context.logger?.warn('archive package damaged', { path: this.path, offset, problem })
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

/** LRU cache of packages, limited by the total number of entries. */
export class PackCache {
  private readonly context: PackContext
  private readonly maxEntries: number
  private readonly packs = new Map<string, { readonly index: PackIndex; entries: number; round: number }>()
  private entries = 0

  constructor(maxEntries: number, context: PackContext) {
    this.maxEntries = maxEntries
    this.context = context
  }

  /** A package as it is in this round or later. */
  async load(path: string, round: number): Promise<PackIndex> {
    const pack = this.packs.get(path) ?? { index: new PackIndex(path, this.context), entries: 0, round: -1 }
    this.packs.delete(path)
    this.packs.set(path, pack)
    if (pack.round < round) {
      await pack.index.update()
      pack.round = round
      if (this.packs.get(path) === pack) this.recount(pack)
    }
    return pack.index
  }

  /** All cached packages at their last update, most recently used first. */
  list(): PackIndex[] {
    return Array.from(this.packs.values(), ({ index }) => index).reverse()
  }

  private recount(pack: { readonly index: PackIndex; entries: number }): void {
    this.entries += pack.index.table.count - pack.entries
    pack.entries = pack.index.table.count
    for (const [path, oldest] of this.packs) {
      if (this.entries <= this.maxEntries || oldest === pack) break
      this.packs.delete(path)
      this.entries -= oldest.entries
    }
  }
}
