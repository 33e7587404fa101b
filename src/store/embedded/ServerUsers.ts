import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSameProcess } from './folderLock.ts'
import { findStart } from './processes.ts'

let taken = 0

/** Who uses the server of a folder, a file each: the last to leave stops it. Those who were killed do not count. */
export class ServerUsers {
  readonly #folder: string
  readonly #own = `${process.pid}-${findStart(process.pid)}-${taken++}`

  constructor(folder: string) {
    this.#folder = folder
  }

  enter(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(this.#folder, this.#own), '')
  }

  leave(): void {
    rmSync(join(this.#folder, this.#own), { force: true })
  }

  /** How many others there are. The files of those who are gone are removed. */
  countOthers(): number {
    if (!existsSync(this.#folder)) return 0
    return readdirSync(this.#folder).filter((name) => {
      if (name === this.#own) return false
      const [, pid, start] = /^(\d{1,10})-(\d*)-\d+$/.exec(name) ?? []
      const isThere = pid !== undefined && isSameProcess(Number(pid), start ?? '')
      if (!isThere) rmSync(join(this.#folder, name), { force: true })
      return isThere
    }).length
  }
}
