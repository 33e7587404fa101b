import { join } from 'node:path'
import { FolderListing } from './FolderListing.ts'
import { groupPacks, noPacks, type PackGroups } from './groupPacks.ts'

/** A place with packages in it. */
export interface PackPlace {
  /** The lowest id that a package in it may have. */
  readonly id: number
  readonly path: string | undefined
  /** What is in it, looked at once a round. */
  load(round: number): Promise<PackGroups>
  /** Frees memory until it is asked for again. */
  release(): void
}

export class PackFolder implements PackPlace {
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
export const createPackList = (paths: readonly string[]): PackPlace => {
  const groups = groupPacks(paths)
  return { id: 0, path: undefined, load: () => Promise.resolve(groups), release: () => undefined }
}
