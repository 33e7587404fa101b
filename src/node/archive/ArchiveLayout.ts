import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { NodeUnavailableError } from '../../chain/errors.ts'
import { parseShard } from '../../primitives/shard.ts'
import { describeFileError, isMissing, locationAdvice } from './fileErrors.ts'

// File systems round the time of a change, some to two seconds: a listing made sooner after it may lack a later change.
const SETTLED_AFTER_MS = 2500

/** The names in a folder, read again only when it may have changed. */
export class FolderListing {
  readonly path: string
  private changedNs: bigint | undefined
  private firstSeenAt = 0
  private listedAt = 0
  /** `undefined` if there is no such folder. */
  names: readonly string[] | undefined

  constructor(path: string) {
    this.path = path
  }

  /** Whether the names may have changed. */
  async update(): Promise<boolean> {
    try {
      const { mtimeNs } = await stat(this.path, { bigint: true })
      const now = performance.now()
      if (mtimeNs !== this.changedNs) {
        this.changedNs = mtimeNs
        this.firstSeenAt = now
      } else if (this.names !== undefined && this.listedAt - this.firstSeenAt > SETTLED_AFTER_MS) return false
      const names = await readdir(this.path)
      this.names = names
      this.listedAt = now
      return true
    } catch (error) {
      if (!isMissing(error)) throw describeFileError(error, this.path)
      const wasThere = this.names !== undefined
      this.names = undefined
      this.changedNs = undefined
      return wasThere
    }
  }
}

/**
 * What a package is, by the name of its file. `slice`: blocks that are part of the chain, those of masterchain blocks from `id`
 * on to the next slice and of the shard blocks these include; `shard` where it holds only blocks of that shard. `key`: proofs of
 * key blocks. `temporary`: everything received lately, also blocks that never become part of the chain. `other`: a package that
 * no node named so.
 */
export type PackName =
  | { readonly kind: 'slice'; readonly id: number; readonly shard: PackShard | undefined }
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'temporary'; readonly id: number }
  | { readonly kind: 'other' }

type PackShard = { readonly workchain: number; readonly shard: bigint }

// Newer nodes put `_` before the shard, older ones `:`.
const pattern = /^(key\.|temp\.)?archive\.([0-9]{5,10})(?:\.(-?[0-9]{1,10})[_:]([0-9a-fA-F]{16}))?\.pack$/

/** Reads the name of a file, without its folder; `undefined` if it is not a package. */
export const parsePackName = (file: string): PackName | undefined => {
  const [, prefix, id, workchain, shard] = pattern.exec(file) ?? []
  if (id === undefined || (prefix !== undefined && shard !== undefined)) {
    return file.endsWith('.pack') ? { kind: 'other' } : undefined
  }
  if (prefix === 'key.') return { kind: 'key', id: Number(id) }
  if (prefix === 'temp.') return { kind: 'temporary', id: Number(id) }
  const only =
    workchain === undefined || shard === undefined
      ? undefined
      : { workchain: Number(workchain), shard: parseShard(shard) }
  return { kind: 'slice', id: Number(id), shard: only }
}

/** The packages that share an id: one for the masterchain, in older databases for all chains, and any number for shards. */
export type Slice = { readonly id: number; readonly packs: readonly SlicePack[] }
export type SlicePack = { readonly path: string; readonly shard: PackShard | undefined }

type PackGroups = {
  /** By id. */
  readonly slices: readonly Slice[]
  /** By id. */
  readonly keys: readonly { readonly id: number; readonly path: string }[]
  readonly temporary: readonly string[]
  readonly others: readonly string[]
}

const noPacks: PackGroups = { slices: [], keys: [], temporary: [], others: [] }

/** Sorts files by what their names say; files that are no packages are left out. */
const groupPacks = (paths: Iterable<string>): PackGroups => {
  const slices = new Map<number, SlicePack[]>()
  const keys: { id: number; path: string }[] = []
  const temporary: string[] = []
  const others: string[] = []
  for (const path of [...paths].sort()) {
    const name = parsePackName(basename(path))
    if (name === undefined) continue
    if (name.kind === 'key') keys.push({ id: name.id, path })
    else if (name.kind === 'temporary') temporary.push(path)
    else if (name.kind === 'other') others.push(path)
    else {
      const pack = { path, shard: name.shard }
      const packs = slices.get(name.id)
      if (packs === undefined) slices.set(name.id, [pack])
      else packs.push(pack)
    }
  }
  return {
    slices: Array.from(slices, ([id, packs]) => ({ id, packs })).sort((a, b) => a.id - b.id),
    keys: keys.sort((a, b) => a.id - b.id),
    temporary,
    others,
  }
}

/** Position of the last of these with an id of at most `id`, or -1. */
const findLastUpTo = (sorted: readonly { readonly id: number }[], id: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]!.id <= id) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A location with packages in it. */
interface PackLocation {
  /** The lowest id that a package in it may have. */
  readonly id: number
  readonly path: string | undefined
  /** What is in it, looked at once a round. */
  load(round: number): Promise<PackGroups>
  /** Frees memory until it is asked for again. */
  release(): void
}

class PackFolder implements PackLocation {
  readonly path: string
  readonly id: number
  private listing: FolderListing
  private groups: PackGroups = noPacks
  private round = -1

  constructor(path: string, id: number) {
    this.path = path
    this.id = id
    this.listing = new FolderListing(path)
  }

  async load(round: number): Promise<PackGroups> {
    if (this.round !== round) {
      const { listing } = this
      if (await listing.update()) {
        this.groups = groupPacks((listing.names ?? []).map((name) => join(this.path, name)))
      }
      this.round = round
    }
    return this.groups
  }

  release(): void {
    this.listing = new FolderListing(this.path)
    this.groups = noPacks
    this.round = -1
  }
}

/** Packages that were named one by one. */
const createPackList = (paths: readonly string[]): PackLocation => {
  const groups = groupPacks(paths)
  return { id: 0, path: undefined, load: () => Promise.resolve(groups), release: () => undefined }
}

// A node puts 100,000 ids into one folder of slices, and a million into one of key packages.
const SLICE_FOLDER = { pattern: /^arch([0-9]{4,6})$/, ids: 100_000 }
const KEY_FOLDER = { pattern: /^key([0-9]{3,6})$/, ids: 1_000_000 }
const MAX_LISTED = 16

/** The db folder of a node, its archive folder, a folder with packages right in it; or the packages, one by one. */
export type ArchiveLocation = string | readonly string[]

/** The locations of each kind of package; slices and keys by id. */
type PackLocations = {
  readonly slices: readonly PackLocation[]
  readonly keys: readonly PackLocation[]
  readonly temporary: PackLocation
  readonly others: PackLocation | undefined
}

const locationsOf = (location: PackLocation): PackLocations => ({
  slices: [location],
  keys: [location],
  temporary: location,
  others: location,
})

/**
 * Where which package is. A main network archive has a million of them in hundreds of folders, so a folder is listed when
 * something in it is asked for, and again only in a new round and if it changed.
 */
export class ArchiveLayout {
  private readonly root: string | undefined
  private readonly bases: readonly FolderListing[]
  private readonly folders = new Map<string, PackFolder>()
  private readonly listed = new Set<PackLocation>()
  private round = 0
  private locationsRound = 0
  private locations: PackLocations | undefined

  constructor(location: ArchiveLocation) {
    if (typeof location === 'string') {
      this.root = location
      this.bases = [join(location, 'archive', 'packages'), join(location, 'packages'), location].map(
        (path) => new FolderListing(path),
      )
    } else {
      this.bases = []
      this.locations = locationsOf(createPackList(location))
    }
  }

  /** Starts a new round: folders are looked at again when they are next needed. */
  refresh(): void {
    this.round++
  }

  /** The slice with the largest id up to the given one. */
  async findSliceUpTo(id: number): Promise<Slice | undefined> {
    const { slices: locations } = await this.loadLocations()
    for (let at = findLastUpTo(locations, id); at >= 0; at--) {
      const { slices } = await this.load(locations[at]!)
      const found = slices[findLastUpTo(slices, id)]
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The slice with the smallest id above the given one. */
  async findSliceAfter(id: number): Promise<Slice | undefined> {
    const { slices: locations } = await this.loadLocations()
    for (let at = Math.max(0, findLastUpTo(locations, id)); at < locations.length; at++) {
      const { slices } = await this.load(locations[at]!)
      const found = slices[findLastUpTo(slices, id) + 1]
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The package with proofs of the key blocks around this seqno. */
  async findKeyPack(seqno: number): Promise<string | undefined> {
    const { keys: locations } = await this.loadLocations()
    const location = locations[findLastUpTo(locations, seqno)]
    if (location === undefined) return undefined
    const { keys } = await this.load(location)
    return keys[findLastUpTo(keys, seqno)]?.path
  }

  async listTemporaryPacks(): Promise<readonly string[]> {
    const { temporary } = await this.loadLocations()
    return (await this.load(temporary)).temporary
  }

  /** Packages whose names say nothing about what is in them. */
  async listOtherPacks(): Promise<readonly string[]> {
    const { others } = await this.loadLocations()
    return others === undefined ? [] : (await this.load(others)).others
  }

  /** The folders in which the next change will show: the newest with slices, and those where the next one may appear. */
  listLiveFolders(): string[] {
    const newest = this.locations?.slices.at(-1)?.path
    const bases = this.bases.filter(({ names }) => names !== undefined).map(({ path }) => path)
    return [...new Set(newest === undefined ? bases : [newest, ...bases])]
  }

  private async loadLocations(): Promise<PackLocations> {
    if (this.root === undefined && this.locations !== undefined) return this.locations
    if (this.locations === undefined || this.locationsRound !== this.round) {
      const { round } = this
      for (const base of this.bases) await base.update()
      this.locations = this.findLocations(this.root ?? '')
      this.locationsRound = round
    }
    return this.locations
  }

  /** Of the folders that may hold a node's, the first that does counts; without any, packages are right in the root. */
  private findLocations(root: string): PackLocations {
    if (this.bases.at(-1)?.names === undefined) {
      throw new NodeUnavailableError(`The folder ${root} does not exist. ${locationAdvice}`)
    }
    for (const { path, names } of this.bases) {
      const collect = ({ pattern, ids }: typeof SLICE_FOLDER): PackFolder[] =>
        (names ?? [])
          .flatMap((name) => {
            const number = pattern.exec(name)?.[1]
            return number === undefined ? [] : [this.folderAt(join(path, name), Number(number) * ids)]
          })
          .sort((a, b) => a.id - b.id)
      const slices = collect(SLICE_FOLDER)
      const keys = collect(KEY_FOLDER)
      if (slices.length === 0 && keys.length === 0) continue
      return { slices, keys, temporary: this.folderAt(join(root, 'files', 'packages'), 0), others: undefined }
    }
    return locationsOf(this.folderAt(root, 0))
  }

  private folderAt(path: string, id: number): PackFolder {
    const known = this.folders.get(path)
    if (known !== undefined) return known
    const folder = new PackFolder(path, id)
    this.folders.set(path, folder)
    return folder
  }

  private load(location: PackLocation): Promise<PackGroups> {
    this.listed.delete(location)
    this.listed.add(location)
    if (this.listed.size > MAX_LISTED) {
      const [oldest] = this.listed
      this.listed.delete(oldest!)
      oldest!.release()
    }
    return location.load(this.round)
  }
}
