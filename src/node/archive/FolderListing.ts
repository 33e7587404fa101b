import { readdir, stat } from 'node:fs/promises'
import { describeFileError, isMissing } from './fileErrors.ts'

// File systems round the time of a change, some to two seconds: a listing made sooner after it may lack a later change.
const SETTLED_AFTER_MS = 2500

/** The names in a folder, read again only when it may have changed. */
export class FolderListing {
  readonly path: string
  private changedNs: bigint | undefined
  private firstSeenAt = 0
  private listedAt = 0
  /** `undefined` where there is no such folder. */
  names: readonly string[] | undefined

  constructor(path: string) {
    this.path = path
  }

  /** Whether the names are others now, or may be. */
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
