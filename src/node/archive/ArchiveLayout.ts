import { join } from 'node:path'
import { NodeUnavailableError } from '../../chain/errors.ts'
import { FolderListing } from './FolderListing.ts'
import { locationAdvice } from './fileErrors.ts'
import { findLastUpTo, type PackGroups, type Slice } from './groupPacks.ts'
import { createPackList, PackFolder, type PackPlace } from './PackFolder.ts'

// A node puts 100,000 ids into one folder of slices, and a million into one of key packages.
const SLICE_FOLDER = { pattern: /^arch([0-9]{4,6})$/, ids: 100_000 }
const KEY_FOLDER = { pattern: /^key([0-9]{3,6})$/, ids: 1_000_000 }
const MAX_LISTED = 16

/** The db folder of a node, its archive folder, a folder with packages right in it; or the packages, one by one. */
export type ArchiveLocation = string | readonly string[]

/** The places of each kind of package; slices and keys by id. */
type Places = {
  readonly slices: readonly PackPlace[]
  readonly keys: readonly PackPlace[]
  readonly temporary: PackPlace
  readonly others: PackPlace | undefined
}

const placesOf = (place: PackPlace): Places => ({ slices: [place], keys: [place], temporary: place, others: place })

/**
 * Where which package is. A main network archive has a million of them in hundreds of folders, so a folder is listed when
 * something in it is asked for, and again only in a new round and if it changed.
 */
export class ArchiveLayout {
  private readonly root: string | undefined
  private readonly bases: readonly FolderListing[]
  private readonly folders = new Map<string, PackFolder>()
  private readonly listed = new Set<PackPlace>()
  private round = 0
  private placesRound = 0
  private places: Places | undefined

  constructor(location: ArchiveLocation) {
    if (typeof location === 'string') {
      this.root = location
      this.bases = [join(location, 'archive', 'packages'), join(location, 'packages'), location].map(
        (path) => new FolderListing(path),
      )
    } else {
      this.bases = []
      this.places = placesOf(createPackList(location))
    }
  }

  /** Starts a new round: folders are looked at again when they are next needed. */
  refresh(): void {
    this.round++
  }

  /** The slice with the largest id up to the given one. */
  async findSliceUpTo(id: number): Promise<Slice | undefined> {
    const { slices: places } = await this.loadPlaces()
    for (let at = findLastUpTo(places, id); at >= 0; at--) {
      const { slices } = await this.load(places[at]!)
      const found = slices[findLastUpTo(slices, id)]
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The slice with the smallest id above the given one. */
  async findSliceAfter(id: number): Promise<Slice | undefined> {
    const { slices: places } = await this.loadPlaces()
    for (let at = Math.max(0, findLastUpTo(places, id)); at < places.length; at++) {
      const { slices } = await this.load(places[at]!)
      const found = slices[findLastUpTo(slices, id) + 1]
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The package with proofs of the key blocks around this seqno. */
  async findKeyPack(seqno: number): Promise<string | undefined> {
    const { keys: places } = await this.loadPlaces()
    const place = places[findLastUpTo(places, seqno)]
    if (place === undefined) return undefined
    const { keys } = await this.load(place)
    return keys[findLastUpTo(keys, seqno)]?.path
  }

  async listTemporaryPacks(): Promise<readonly string[]> {
    const { temporary } = await this.loadPlaces()
    return (await this.load(temporary)).temporary
  }

  /** Packages whose names say nothing about what is in them. */
  async listOtherPacks(): Promise<readonly string[]> {
    const { others } = await this.loadPlaces()
    return others === undefined ? [] : (await this.load(others)).others
  }

  /** The folders in which the next change will show: the newest with slices, and those where the next one may appear. */
  listLiveFolders(): string[] {
    const newest = this.places?.slices.at(-1)?.path
    const bases = this.bases.filter(({ names }) => names !== undefined).map(({ path }) => path)
    return [...new Set(newest === undefined ? bases : [newest, ...bases])]
  }

  private async loadPlaces(): Promise<Places> {
    if (this.root === undefined && this.places !== undefined) return this.places
    if (this.places === undefined || this.placesRound !== this.round) {
      const { round } = this
      for (const base of this.bases) await base.update()
      this.places = this.findPlaces(this.root ?? '')
      this.placesRound = round
    }
    return this.places
  }

  /** Of the folders that may hold a node's, the first that does counts; without any, packages are right in the root. */
  private findPlaces(root: string): Places {
    if (this.bases.at(-1)?.names === undefined) {
      throw new NodeUnavailableError(`There is no folder ${root}. ${locationAdvice}`)
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
    return placesOf(this.folderAt(root, 0))
  }

  private folderAt(path: string, id: number): PackFolder {
    const known = this.folders.get(path)
    if (known !== undefined) return known
    const folder = new PackFolder(path, id)
    this.folders.set(path, folder)
    return folder
  }

  private load(place: PackPlace): Promise<PackGroups> {
    this.listed.delete(place)
    this.listed.add(place)
    if (this.listed.size > MAX_LISTED) {
      const [oldest] = this.listed
      this.listed.delete(oldest!)
      oldest!.release()
    }
    return place.load(this.round)
  }
}
