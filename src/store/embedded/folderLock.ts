import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedServerError, reasonOf, systemCode } from '../errors.ts'
import { findStart, isAlive } from './ServerFolder.ts'

const POLL_MS = 25
const WAIT_MS = 90_000
let made = 0

/** Runs work under an exclusive lock file, across processes and within this one. The lock of a killed process is taken over. */
export const withFolderLock = async <T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  const own = `${process.pid} ${findStart(process.pid)} ${made++}\n`
  const deadline = performance.now() + WAIT_MS
  while (!create(path, own)) {
    const other = readLock(path)
    if (other !== undefined && isAbandoned(other)) moveAway(path, other)
    else if (performance.now() > deadline) {
      throw new EmbeddedServerError(
        `Process ${other?.split(' ')[0] ?? '(unknown)'} has held ${path} for ${WAIT_MS / 1000} s: it seems to hang while it starts or stops the database server. End it and try again.`,
      )
    } else await delay(POLL_MS, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    if (readLock(path) === own) rmSync(path, { force: true })
  }
}

const create = (path: string, content: string): boolean => {
  const aside = `${path}.${process.pid}.${made}`
  try {
    writeFileSync(aside, content)
    try {
      // A hard link appears with its content; a newly created file could be read while still empty.
      linkSync(aside, path)
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      // Not every file system has hard links.
      writeFileSync(path, content, { flag: 'wx' })
    }
    return true
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false
    throw new EmbeddedServerError(`The lock ${path} cannot be written: ${reasonOf(cause)}.`, { cause })
  } finally {
    rmSync(aside, { force: true })
  }
}

const readLock = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const isAbandoned = (content: string): boolean => {
  const [, pid, start] = /^(\d{1,10}) (\d*) \d+\n$/.exec(content) ?? []
  return pid === undefined || !isSameProcess(Number(pid), start ?? '')
}

/** Pids are reused, so the start time counts too, where the system tells it. */
const isSameProcess = (pid: number, start: string): boolean => {
  const now = findStart(pid)
  return isAlive(pid) && (start === '' || now === '' || start === now)
}

/** Another process may do the same at the same moment: what was moved must be what was read. */
const moveAway = (path: string, seen: string): void => {
  const aside = `${path}.old.${process.pid}`
  try {
    renameSync(path, aside)
    if (readLock(aside) !== seen) linkSync(aside, path)
  } catch {
    // It is gone or was created again: the next attempt will see.
  } finally {
    rmSync(aside, { force: true })
  }
}

let taken = 0

/**
 * The processes that use the server of a folder, one file each: the last one to leave stops it. Killed processes do not count.
 */
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

  /** Number of other users. Files of ended processes are removed. */
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
