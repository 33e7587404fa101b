import { closeSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PACK_START, packEntryHead, packStart } from '../../codec/pack/packFormat.ts'
import { formatBlockId, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import type { BlockFiles, StepFiles, StoredFileKind } from './BlockFiles.ts'
import { RowTable } from './blockRow.ts'
import { ChainDataError } from './errors.ts'
import { readFully, reasonOf, type Syncing, syncFolder, writeAll } from './fileWrites.ts'
import {
  encodePosition,
  endOfPosition,
  isPackName,
  type PackPosition,
  POSITION_ROW_BYTES,
  packagesFolder,
  packPath,
  readPosition,
  sliceOf,
} from './packPaths.ts'

/** Files that were used lately stay open: the slices that grow, and those that are read. */
const MAX_OPEN = 16

/** File handles by path, the least used closed when there are too many. */
class OpenFiles {
  private readonly handles = new Map<string, number>()
  private readonly access: 'r' | 'r+'
  private synced: string | undefined

  constructor(access: 'r' | 'r+' = 'r+') {
    this.access = access
  }

  /** Opens a file that is there. */
  get(path: string): number {
    return this.use(path, this.access)
  }

  /** Begins a file anew, whatever was there. */
  create(path: string): number {
    this.close(path)
    return this.use(path, 'w+')
  }

  /** Yields a file to be synced, which stays open until it is. */
  *syncing(path: string): Syncing {
    const handle = this.get(path)
    this.synced = path
    try {
      yield handle
    } finally {
      this.synced = undefined
    }
  }

  sync(path: string): void {
    fdatasyncSync(this.get(path))
  }

  close(path: string): void {
    const handle = this.handles.get(path)
    if (handle === undefined) return
    this.handles.delete(path)
    closeSync(handle)
  }

  closeAll(): void {
    for (const path of [...this.handles.keys()]) this.close(path)
  }

  private use(path: string, flags: string): number {
    const known = this.handles.get(path)
    const handle = known ?? openSync(path, flags)
    // A Map keeps insertion order: used entries move to the end.
    this.handles.delete(path)
    this.handles.set(path, handle)
    if (this.handles.size > MAX_OPEN) {
      const oldest = [...this.handles.keys()].find((other) => other !== this.synced)
      this.close(oldest!)
    }
    return handle
  }
}

/** What one step adds to one package. */
type PackGrowth = {
  readonly slice: number
  readonly workchain: number
  readonly path: string
  /** Its length before; 0 where there was none. */
  readonly start: number
  readonly parts: Uint8Array[]
  end: number
}

/**
 * Block files in archive packages, in the folders and under the names that nodes give them: slices of a hundred masterchain
 * blocks, each with a twin for the shard blocks that they include; a key block begins a new group of slices.
 */
export class PackFiles implements BlockFiles {
  private readonly root: string
  private readonly isSynced: boolean
  private readonly files: OpenFiles
  private readonly positions = new RowTable(POSITION_ROW_BYTES)
  /** How long the packages are, by workchain and slice. */
  private readonly ends = new Map<number, Map<number, number>>()
  private readonly keyBlocks: number[] = []
  /** Packages that could not be cut when they should have been, with their right lengths. */
  private readonly uncut = new Map<string, number>()

  /** With `isSynced`, what was appended is on the disk, and not only with the system. */
  constructor(root: string, isSynced: boolean, access: 'r' | 'r+' = 'r+') {
    this.root = root
    this.isSynced = isSynced
    this.files = new OpenFiles(access)
  }

  get count(): number {
    return this.positions.count
  }

  *append(step: StepFiles): Syncing {
    const { id, isKeyBlock } = step.blocks.at(-1)!.block
    const { growths, positions } = this.plan(step)
    try {
      this.cutRest()
      for (const growth of growths) yield* this.grow(growth)
    } catch (cause) {
      for (const { path, start } of growths) this.uncut.set(path, start)
      this.tryCutRest()
      throw new ChainDataError(`Block ${formatBlockId(id)} cannot be written to its package: ${reasonOf(cause)}.`, {
        cause,
      })
    }
    for (const position of positions) this.addPosition(encodePosition(position), 0)
    if (isKeyBlock) this.startGroup(id.seqno)
  }

  /** Takes up a block that is in the packages already. */
  addPosition(row: Uint8Array, at: number): void {
    this.positions.push(row, at)
    const position = readPosition(row, at)
    this.endsOf(position.workchain).set(position.slice, endOfPosition(position))
  }

  /** Says that the group of slices that grows was begun by this key block. */
  startGroup(keyBlockSeqno: number): void {
    this.keyBlocks.push(keyBlockSeqno)
  }

  /** The bytes of a row as {@link addPosition} takes it. */
  copyPosition(number: number): Uint8Array {
    const at = this.positions.offsetOf(number)
    return this.positions.chunkOf(number).slice(at, at + POSITION_ROW_BYTES)
  }

  find(kind: StoredFileKind, number: number): Uint8Array | undefined {
    const position = this.positionOf(number)
    const length = kind === 'block' ? position.length : position.proofLength
    if (length === 0) return undefined
    const path = this.locate(number)
    const bytes = new Uint8Array(length)
    let read: number
    try {
      read = readFully(this.files.get(path), bytes, kind === 'block' ? position.offset : position.proofOffset)
    } catch (cause) {
      throw new ChainDataError(`The package ${path} cannot be read: ${reasonOf(cause)}.`, { cause })
    }
    if (read < length) throw new ChainDataError(`The package ${path} ends before all of its blocks do.`)
    return bytes
  }

  locate(number: number): string {
    const { slice, workchain } = this.positionOf(number)
    return packPath(this.root, slice, workchain)
  }

  cutTo(steps: number, count: number): void {
    for (let number = this.positions.count - 1; number >= count; number--) {
      const { slice, workchain, offset, headLength } = this.positionOf(number)
      const start = offset - headLength
      const end = start === PACK_START ? 0 : start
      if (end === 0) this.endsOf(workchain).delete(slice)
      else this.endsOf(workchain).set(slice, end)
      this.uncut.set(packPath(this.root, slice, workchain), end)
    }
    this.positions.cutTo(count)
    while (this.keyBlocks.length > 0 && this.keyBlocks.at(-1)! > steps) this.keyBlocks.pop()
    this.tryCutRest()
  }

  /** The number of the first block whose bytes are not all there; the count where none is missing. */
  findMissing(): number {
    const short = new Map<string, number>()
    for (const { path, end } of this.listEnds()) {
      const size = sizeOf(path)
      if (size < end) short.set(path, size)
    }
    if (short.size === 0) return this.positions.count
    for (let number = 0; number < this.positions.count; number++) {
      const position = this.positionOf(number)
      if ((short.get(packPath(this.root, position.slice, position.workchain)) ?? Infinity) < endOfPosition(position))
        return number
    }
    return this.positions.count
  }

  /** Cuts off what lies behind the last block of each package, removes packages of which none is known; says how many. */
  cutUnknown(): number {
    const known = new Map(this.listEnds().map(({ path, end }) => [path, end]))
    for (const folder of listNames(packagesFolder(this.root))) {
      const path = join(packagesFolder(this.root), folder)
      if (!/^arch[0-9]{4,}$/.test(folder)) continue
      for (const name of listNames(path).filter(isPackName)) {
        const end = known.get(join(path, name)) ?? 0
        if (end === 0 || sizeOf(join(path, name)) > end) this.uncut.set(join(path, name), end)
      }
    }
    const cut = this.uncut.size
    this.cutRest()
    return cut
  }

  sync(): void {
    for (const { path } of this.listEnds()) this.files.sync(path)
  }

  close(): void {
    this.files.closeAll()
  }

  private positionOf(number: number): PackPosition {
    return readPosition(this.positions.chunkOf(number), this.positions.offsetOf(number))
  }

  private endsOf(workchain: number): Map<number, number> {
    let ends = this.ends.get(workchain)
    if (ends === undefined) {
      ends = new Map()
      this.ends.set(workchain, ends)
    }
    return ends
  }

  private listEnds(): { readonly path: string; readonly end: number }[] {
    return [...this.ends].flatMap(([workchain, ends]) =>
      [...ends].map(([slice, end]) => ({ path: packPath(this.root, slice, workchain), end })),
    )
  }

  private plan({ blocks, proof }: StepFiles): {
    readonly growths: readonly PackGrowth[]
    readonly positions: readonly PackPosition[]
  } {
    const { id, isKeyBlock } = blocks.at(-1)!.block
    const slice = sliceOf(id.seqno, isKeyBlock ? id.seqno : (this.keyBlocks.at(-1) ?? 0))
    const growths = new Map<number, PackGrowth>()
    const positions = blocks.map(({ block, bytes }, k): PackPosition => {
      const { workchain } = block.id
      let growth = growths.get(workchain)
      if (growth === undefined) {
        growth = this.startGrowth(slice, workchain)
        growths.set(workchain, growth)
      }
      const headLength = addEntry(growth, `block_${formatBlockIdExt(block.id)}`, bytes)
      const offset = growth.end - bytes.length
      if (k === blocks.length - 1 && proof !== undefined) addEntry(growth, `proof_${formatBlockIdExt(id)}`, proof)
      const proofLength = growth.end === offset + bytes.length ? 0 : proof!.length
      return {
        slice,
        workchain,
        offset,
        headLength,
        length: bytes.length,
        proofOffset: growth.end - proofLength,
        proofLength,
      }
    })
    return { growths: [...growths.values()], positions }
  }

  private startGrowth(slice: number, workchain: number): PackGrowth {
    const start = this.endsOf(workchain).get(slice) ?? 0
    const parts = start === 0 ? [packStart()] : []
    return { slice, workchain, path: packPath(this.root, slice, workchain), start, parts, end: start || PACK_START }
  }

  private *grow({ path, start, parts }: PackGrowth): Syncing {
    if (start === 0) mkdirSync(dirname(path), { recursive: true })
    writeAll(start === 0 ? this.files.create(path) : this.files.get(path), concatBytes(parts), start)
    if (!this.isSynced) return
    yield* this.files.syncing(path)
    if (start === 0) syncFolder(dirname(path))
  }

  private tryCutRest(): void {
    try {
      this.cutRest()
    } catch {
      // The next append or start retries before it writes.
    }
  }

  /** Cuts whatever can be; throws where something cannot. */
  private cutRest(): void {
    const failures: unknown[] = []
    for (const [path, length] of this.uncut) {
      try {
        this.cut(path, length)
        this.uncut.delete(path)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  private cut(path: string, length: number): void {
    if (length > 0) {
      ftruncateSync(this.files.get(path), length)
      return
    }
    this.files.close(path)
    rmSync(path, { force: true })
  }
}

/** Gives the length of the head of the entry. */
const addEntry = (growth: PackGrowth, name: string, bytes: Uint8Array): number => {
  const head = packEntryHead(name, bytes.length)
  growth.parts.push(head, bytes)
  growth.end += head.length + bytes.length
  return head.length
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const listNames = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Packages written without sync: after a crash the lost part is read again from its source. */
export const createPackFiles = (root: string): PackFiles => new PackFiles(root, false)
