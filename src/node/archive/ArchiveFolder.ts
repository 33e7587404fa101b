import { BlockNotFoundError, NodeAnswerError, ProofFailedError } from '../../chain/errors.ts'
import { listShardTops } from '../../chain/shardBlocks.ts'
import type { Logger } from '../../observe/Logger.ts'
import {
  type BlockId,
  type BlockIdExt,
  formatBlockId,
  formatBlockIdExt,
  masterchain,
} from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import { expectFileHash, openBlockBytes, type ProvenBlock, verifyBlockBytes } from '../proofs/blockProofs.ts'
import { verifyPackageLink } from '../proofs/chainProofs.ts'
import { openMasterBlockExtra } from '../proofs/ProvenHeader.ts'
import { ArchiveLayout, type ArchiveLocation, type Slice, type SlicePack } from './ArchiveLayout.ts'
import { PackCache, type PackIndex } from './PackIndex.ts'
import { type EntryKind, parseEntryName } from './packFile.ts'

/** The fields of a block that are needed to follow the chain. */
export type BlockFacts = {
  readonly previous: readonly BlockIdExt[]
  /** The newest block of every shard; of masterchain blocks only. */
  readonly shardTops: readonly BlockIdExt[]
}

/** Checks that these bytes are the block with this id: both hashes, and the position in its header. */
export const checkBlock = (id: BlockIdExt, bytes: Uint8Array): ProvenBlock =>
  reading(id, () => verifyBlockBytes(id, bytes))

/** Checks only that these bytes have the file hash of this id. */
export const checkBlockFile = (id: BlockIdExt, bytes: Uint8Array): void => {
  reading(id, () => expectFileHash(id, bytes))
}

/**
 * Checks a block and reads its position in the chain. With `fileHashOnly` the caller checks its cell hashes.
 */
export const readBlockFacts = (id: BlockIdExt, bytes: Uint8Array, fileHashOnly = false): BlockFacts =>
  reading(id, () => {
    const { prev, root } = fileHashOnly ? openBlockBytes(id, bytes) : verifyBlockBytes(id, bytes)
    const shardTops = id.workchain === masterchain ? listShardTops(openMasterBlockExtra(root).shardHashes) : []
    return { previous: prev, shardTops }
  })

/** Checks that a proof is of the block with this id. Its signatures are not checked. */
export const checkBlockProof = (id: BlockIdExt, bytes: Uint8Array): void => {
  reading(id, () => verifyPackageLink(id, bytes))
}

// A wrong file is damage, not a lying server: the entry is ignored.
const reading = <T>(id: BlockIdExt, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    const reason = cause instanceof ProofFailedError ? cause.message : `It cannot be read: ${cause.message}`
    throw new NodeAnswerError(`The archive has something else in place of block ${formatBlockId(id)}. ${reason}`, {
      cause,
    })
  }
}

export type SliceSearch = {
  findSliceUpTo(id: number): Promise<Slice | undefined>
  findSliceAfter(id: number): Promise<Slice | undefined>
  /** The lowest and the highest seqno of blocks in a slice whose shard has accounts in common with the block's. */
  findSeqnoRange(slice: Slice, id: BlockId): Promise<readonly [lowest: number, highest: number] | undefined>
}

/**
 * The slice that holds a shard block if any does. A shard block is in the slice of the masterchain block that includes it, which
 * its id does not tell; but along a shard, through splits and merges, seqnos only grow, so a bisection finds it.
 */
export const findShardSlice = async (search: SliceSearch, block: BlockId): Promise<Slice | undefined> => {
  const first = await search.findSliceAfter(-1)
  const last = await search.findSliceUpTo(Number.MAX_SAFE_INTEGER)
  if (first === undefined || last === undefined) return undefined
  // Both ends stay ids of slices or just below one, so that every step leaves fewer.
  let low = first.id
  let high = last.id
  while (low <= high) {
    const start = await search.findSliceUpTo(low + Math.floor((high - low) / 2))
    if (start === undefined || start.id < low) return undefined
    let slice: Slice | undefined = start
    let range = await search.findSeqnoRange(slice, block)
    // A slice without a block of these shards says nothing: the next one that has some does.
    while (range === undefined) {
      slice = await search.findSliceAfter(slice.id)
      if (slice === undefined || slice.id > high) break
      range = await search.findSeqnoRange(slice, block)
    }
    if (slice === undefined || range === undefined || block.seqno < range[0]) high = start.id - 1
    else if (block.seqno <= range[1]) return slice
    else low = (await search.findSliceAfter(slice.id))?.id ?? high + 1
  }
  return undefined
}

export type ArchiveOptions = {
  readonly location: ArchiveLocation
  /** Also finds blocks in temporary packages, which may never become part of the chain. They are only found by their full id. */
  readonly includeTemporary?: boolean
  /**
   * Checks only the file hash of blocks, for callers that check the cell hashes themselves. Hashing all cells takes more time
   * than everything else.
   */
  readonly fileHashOnly?: boolean
  readonly logger?: Logger
  /** Maximum number of index entries, about a hundred bytes each. */
  readonly maxIndexedEntries?: number
  readonly maxOpenFiles?: number
}

/** A block and a package that holds it. */
export type ArchivedBlock = { readonly id: BlockIdExt; readonly path: string; readonly isTemporary: boolean }

/** A proof of a block: `proof` has signatures, `prooflink` has not. */
export type ArchivedProof = { readonly kind: 'proof' | 'prooflink'; readonly bytes: Uint8Array }

// As much as a bag of cells may have; blocks have at most a few megabytes.
const MAX_ENTRY_BYTES = 64 * 1024 * 1024
const PROGRESS_EVERY_MS = 5000

/**
 * The packages of a node. Nothing is read ahead: a package is scanned when a block is requested that it may hold, and again from its last
 * end after `refresh`.
 */
export class ArchiveFolder {
  private readonly options: ArchiveOptions
  private readonly layout: ArchiveLayout
  private readonly packs: PackCache
  private round = 0

  constructor(options: ArchiveOptions) {
    this.options = options
    const { location, logger, maxIndexedEntries = 500_000, maxOpenFiles = 8 } = options
    this.layout = new ArchiveLayout(typeof location === 'string' && location.endsWith('.pack') ? [location] : location)
    this.packs = new PackCache(maxIndexedEntries, { gate: createSemaphore(maxOpenFiles), logger })
  }

  /** Whether the caller checks the cell hashes of a block. */
  get fileHashOnly(): boolean {
    return this.options.fileHashOnly === true
  }

  /** Makes the next requests see changes on the disk. Requests for a missing block do this themselves. */
  refresh(): void {
    this.round++
    this.layout.refresh()
  }

  /** The newest masterchain block with at most this seqno, from the names of the entries: its bytes are not read. */
  async findMasterchainBlock(maxSeqno: number): Promise<BlockIdExt | undefined> {
    let newest: BlockIdExt | undefined
    const take = (pack: PackIndex): void => {
      const found = pack.table.findMasterchainBlock(maxSeqno)
      if (found !== undefined && (newest === undefined || found.seqno > newest.seqno)) newest = found
    }
    for (const path of await this.layout.listOtherPacks()) take(await this.load(path))
    for (let slice = await this.layout.findSliceUpTo(maxSeqno); slice !== undefined; ) {
      for (const { path, shard } of slice.packs) if (shard === undefined) take(await this.load(path))
      // Slices before this one have lower seqnos only.
      if (newest !== undefined && newest.seqno >= slice.id) break
      slice = await this.layout.findSliceUpTo(slice.id - 1)
    }
    return newest
  }

  /** The exact bytes of a block, checked against its id. */
  async getBlock(id: BlockIdExt, signal?: AbortSignal): Promise<Uint8Array> {
    const check = (bytes: Uint8Array): Uint8Array => {
      if (this.fileHashOnly) checkBlockFile(id, bytes)
      else checkBlock(id, bytes)
      return bytes
    }
    const bytes = await this.findAfresh(() => this.findEntry('block', id, check, { signal }))
    if (bytes === undefined) throw new BlockNotFoundError(id)
    return bytes
  }

  /** The proof of a block; for a masterchain block preferably one with signatures. The signatures are not checked. */
  findProof(id: BlockIdExt, signal?: AbortSignal): Promise<ArchivedProof | undefined> {
    const find = async (kind: ArchivedProof['kind']): Promise<ArchivedProof | undefined> => {
      const check = (bytes: Uint8Array): ArchivedProof => {
        checkBlockProof(id, bytes)
        return { kind, bytes }
      }
      return this.findEntry(kind, id, check, { signal })
    }
    const likely = id.workchain === masterchain ? 'proof' : 'prooflink'
    const other = likely === 'proof' ? 'prooflink' : 'proof'
    return this.findAfresh(async () => (await find(likely)) ?? (await find(other)))
  }

  /**
   * The result of `check` for an entry; on NodeAnswerError the next copy is tried. `near` is the
   * masterchain block that includes a shard block, where it is known: nothing is searched then.
   */
  async findEntry<T>(
    kind: EntryKind,
    id: BlockIdExt,
    check: (bytes: Uint8Array) => T,
    { near, signal }: { readonly near?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T | undefined> {
    let failure: NodeAnswerError | undefined
    for await (const pack of this.candidates(kind, id, near)) {
      for (const position of pack.table.find(kind, id)) {
        signal?.throwIfAborted()
        try {
          if (position.dataLength > MAX_ENTRY_BYTES) throw tooLarge(id, position.dataLength)
          const entry = await pack.read(position)
          if (entry !== undefined && isNamed(entry.name, kind, id)) return check(entry.data)
        } catch (error) {
          if (!(error instanceof NodeAnswerError)) throw error
          failure = new NodeAnswerError(`${error.message} It was read from ${pack.path}.`, { cause: error })
        }
        pack.distrust()
      }
    }
    if (failure !== undefined) throw failure
    return undefined
  }

  /** Whether a block is in a package, as far as the index knows; `near` as for `findEntry`. */
  async hasBlock(id: BlockIdExt, near: number): Promise<boolean> {
    for await (const pack of this.candidates('block', id, near)) {
      if (pack.table.find('block', id).length > 0) return true
    }
    return false
  }

  /** All blocks, once for each package that holds them: slice by slice, and in the order of the package. */
  async *listBlocks(signal?: AbortSignal): AsyncGenerator<ArchivedBlock> {
    const progress = { packages: 0, blocks: 0, reportedAt: performance.now() }
    for await (const { path, isTemporary } of this.listPacks()) {
      signal?.throwIfAborted()
      for (const id of (await this.load(path)).table.listBlocks()) {
        progress.blocks++
        yield { id, path, isTemporary }
      }
      progress.packages++
      if (performance.now() - progress.reportedAt < PROGRESS_EVERY_MS) continue
      progress.reportedAt = performance.now()
      this.options.logger?.info('indexing archive packages', {
        packages: progress.packages,
        blocks: progress.blocks,
        reached: path,
      })
    }
  }

  /** The folders in which new packages appear or grow. */
  listLiveFolders(): string[] {
    return this.layout.listLiveFolders()
  }

  private async *listPacks(): AsyncGenerator<{ readonly path: string; readonly isTemporary: boolean }> {
    for (let slice = await this.layout.findSliceAfter(-1); slice !== undefined; ) {
      for (const { path } of slice.packs) yield { path, isTemporary: false }
      slice = await this.layout.findSliceAfter(slice.id)
    }
    for (const path of await this.layout.listOtherPacks()) yield { path, isTemporary: false }
    if (this.options.includeTemporary !== true) return
    for (const path of await this.layout.listTemporaryPacks()) yield { path, isTemporary: true }
  }

  /** The packages that may hold an entry, the likeliest first. */
  private async *candidates(kind: EntryKind, id: BlockIdExt, near: number | undefined): AsyncGenerator<PackIndex> {
    const isMasterchain = id.workchain === masterchain
    const including = isMasterchain ? id.seqno : near
    if (including !== undefined) yield* this.packsOf(await this.layout.findSliceUpTo(including), id)
    else {
      // A shard block is usually read right after the masterchain block that includes it.
      for (const pack of this.packs.list()) yield pack
      yield* this.packsOf(await this.findShardSlice(id), id)
    }
    for (const path of await this.layout.listOtherPacks()) yield await this.load(path)
    if (isMasterchain && kind !== 'block') {
      const path = await this.layout.findKeyPack(id.seqno)
      if (path !== undefined) yield await this.load(path)
    }
    if (this.options.includeTemporary !== true) return
    for (const path of await this.layout.listTemporaryPacks()) yield await this.load(path)
  }

  private async *packsOf(slice: Slice | undefined, id: BlockIdExt): AsyncGenerator<PackIndex> {
    for (const pack of slice?.packs ?? []) if (mayHold(pack, id)) yield await this.load(pack.path)
  }

  private findShardSlice(id: BlockIdExt): Promise<Slice | undefined> {
    return findShardSlice(
      {
        findSliceUpTo: (seqno) => this.layout.findSliceUpTo(seqno),
        findSliceAfter: (seqno) => this.layout.findSliceAfter(seqno),
        findSeqnoRange: async (slice) => {
          let lowest = Number.POSITIVE_INFINITY
          let highest = -1
          for await (const pack of this.packsOf(slice, id)) {
            const range = pack.table.findSeqnoRange(id)
            if (range === undefined) continue
            lowest = Math.min(lowest, range[0])
            highest = Math.max(highest, range[1])
          }
          return highest < 0 ? undefined : [lowest, highest]
        },
      },
      id,
    )
  }

  /** Retries once if the first result may be stale: nothing found, or found damaged. */
  private async findAfresh<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const found = await find()
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof NodeAnswerError)) throw error
    }
    this.refresh()
    return find()
  }

  private load(path: string): Promise<PackIndex> {
    return this.packs.load(path, this.round)
  }
}

const mayHold = ({ shard: only }: SlicePack, { workchain, shard }: BlockIdExt): boolean => {
  if (only === undefined) return true
  if (only.workchain !== workchain) return false
  return isShardAncestor(only.shard, shard) || isShardAncestor(shard, only.shard)
}

const isNamed = (name: string, kind: EntryKind, id: BlockIdExt): boolean => {
  const parsed = parseEntryName(name)
  return parsed !== undefined && parsed.kind === kind && formatBlockIdExt(parsed.id) === formatBlockIdExt(id)
}

const tooLarge = (id: BlockIdExt, length: number): NodeAnswerError =>
  new NodeAnswerError(
    `The entry of block ${formatBlockId(id)} has ${length} bytes, more than the ${MAX_ENTRY_BYTES} that are read.`,
  )
