import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

/** Work that yields each file whose bytes must be on the disk before it goes on. A failure to get them there is thrown into it. */
export type Syncing = Generator<number, void, undefined>

/** Does the work at once. */
export const finishSyncing = (work: Syncing): void => {
  for (let next = work.next(); !next.done; ) {
    try {
      fdatasyncSync(next.value)
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next()
  }
}

const syncFile = promisify(fdatasync)

/** Does the same without holding up the thread while the disk is busy. */
export const finishSyncingLater = async (work: Syncing): Promise<void> => {
  for (let next = work.next(); !next.done; ) {
    const failure = await syncFile(next.value).then(
      () => undefined,
      (error: Error) => error,
    )
    next = failure === undefined ? work.next() : work.throw(failure)
  }
}

/** Writes all of it; one call of the system may write less than it was given. */
export const writeAll = (file: number, bytes: Uint8Array, position: number): void => {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done)
  }
}

/** Reads as much of `bytes` as the file has from a position on; says how much that is. */
export const readFully = (file: number, bytes: Uint8Array, position: number): number => {
  let done = 0
  while (done < bytes.length) {
    const read = readSync(file, bytes, done, bytes.length - done, position + done)
    if (read === 0) break
    done += read
  }
  return done
}

/** Makes the names in a folder last. Not every system can do that to folders, and those need not. */
export const syncFolder = (path: string): void => {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return
  }
  try {
    fsyncSync(file)
  } catch {
    // As above.
  } finally {
    closeSync(file)
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
