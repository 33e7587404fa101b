import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ChainDataError } from './errors.ts'
import { reasonOf } from './fileWrites.ts'

/** Folders that this process has locked: its own number in a lock says nothing where numbers are few, as in a container. */
const held = new Set<string>()

const TRIES = 3

/** Takes a folder for this process alone; what comes back gives it free. The lock of a process that is gone is taken over. */
export const lockFolder = (folder: string): (() => void) => {
  const path = join(resolve(folder), 'lock')
  if (held.has(path)) throw new ChainDataError(`The chain in ${folder} is in use by this process already.`)
  for (let tries = 0; !create(path); tries++) {
    const owner = readOwner(path)
    const isOld = owner === undefined || owner.pid === process.pid || !isAlive(owner)
    if (!isOld || tries === TRIES) {
      throw new ChainDataError(
        `The chain in ${folder} is in use by ${owner === undefined ? 'another process' : `process ${owner.pid}`}.`,
      )
    }
    moveAway(path, owner)
  }
  held.add(path)
  return () => {
    held.delete(path)
    rmSync(path, { force: true })
  }
}

/** The process that has locked a folder; `undefined` if none has, or this one. */
export const findFolderOwner = (folder: string): number | undefined => {
  const owner = readOwner(join(resolve(folder), 'lock'))
  return owner === undefined || owner.pid === process.pid || !isAlive(owner) ? undefined : owner.pid
}

/** Processes are told apart by their number and, where the system tells, the moment of their start. */
type Owner = { readonly pid: number; readonly started: string }

const create = (path: string): boolean => {
  const own = `${path}.${process.pid}`
  const content = `${process.pid} ${findStart(process.pid)}\n`
  try {
    writeFileSync(own, content)
    try {
      // A link is created with its content; a new file may be read before it has any.
      linkSync(own, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
      // Not every file system has links.
      writeFileSync(path, content, { flag: 'wx' })
    }
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new ChainDataError(`The lock ${path} cannot be written: ${reasonOf(cause)}.`, { cause })
  } finally {
    rmSync(own, { force: true })
  }
}

const readOwner = (path: string): Owner | undefined => {
  try {
    const [, pid, started] = /^([0-9]{1,10}) ([0-9]*)\n$/.exec(readFileSync(path, 'utf8')) ?? []
    return pid === undefined ? undefined : { pid: Number(pid), started: started! }
  } catch {
    return undefined
  }
}

const isAlive = ({ pid, started }: Owner): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = findStart(pid)
  return started === '' || now === '' || started === now
}

/** When a process started, in ticks since the system did; empty where that cannot be known. */
const findStart = (pid: number): string => {
  try {
    // The second field is a name in parentheses, which may hold anything.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Another process may do the same at the same moment: what was moved must be what was looked at. */
const moveAway = (path: string, owner: Owner | undefined): void => {
  const aside = `${path}.old.${process.pid}`
  try {
    renameSync(path, aside)
    const moved = readOwner(aside)
    if (moved?.pid !== owner?.pid || moved?.started !== owner?.started) linkSync(aside, path)
  } catch {
    // Deleted or created again: the next attempt checks.
  } finally {
    rmSync(aside, { force: true })
  }
}
