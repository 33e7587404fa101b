import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { CodedError } from '../../primitives/errors.ts'
import { syncFolder } from './fileWrites.ts'

// states/<seqno>.boc holds the state after that masterchain block and, in the order in which it names them, those of the newest
// blocks of the shards. Unfinished files have another suffix.

const statesFolder = (folder: string): string => join(folder, 'states')

const pathOf = (folder: string, seqno: number): string => join(statesFolder(folder), `${seqno}.boc`)

/** Seqnos of the checkpoints in a folder, ascending. */
export const listCheckpoints = (folder: string): number[] =>
  listNames(folder)
    .flatMap((name) => /^([1-9][0-9]{0,9})\.boc$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)

/** Removes what was being written when a process ended. */
export const removeUnfinishedCheckpoints = (folder: string): void => {
  for (const name of listNames(folder)) {
    if (/^[0-9]+\.boc\.new$/.test(name)) rmSync(join(statesFolder(folder), name), { force: true })
  }
}

/** The states in a checkpoint; `undefined` where it is gone or no bag of cells. Nothing says yet that they are the right ones. */
export const loadCheckpoint = (folder: string, seqno: number): Cell[] | undefined => {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(pathOf(folder, seqno))
  } catch {
    return undefined
  }
  const limits = { maxBytes: Number.MAX_SAFE_INTEGER, maxCells: 2 ** 31 }
  try {
    return decodeBoc(bytes, { trusted: true, limits })
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** Writes a checkpoint under another name; the function that comes back gives it its own. */
export const saveCheckpoint = async (
  folder: string,
  seqno: number,
  bag: Uint8Array,
  isSynced: boolean,
): Promise<{ publish(): void; discard(): void }> => {
  mkdirSync(statesFolder(folder), { recursive: true })
  const path = `${pathOf(folder, seqno)}.new`
  const discard = (): void => rmSync(path, { force: true })
  try {
    const file = await open(path, 'w')
    try {
      await file.writeFile(bag)
      if (isSynced) await file.datasync()
    } finally {
      await file.close()
    }
  } catch (error) {
    discard()
    throw error
  }
  const publish = (): void => {
    renameSync(path, pathOf(folder, seqno))
    if (isSynced) syncFolder(statesFolder(folder))
  }
  return { publish, discard }
}

export const removeCheckpoint = (folder: string, seqno: number): void => {
  rmSync(pathOf(folder, seqno), { force: true })
}

const listNames = (folder: string): string[] => {
  try {
    return readdirSync(statesFolder(folder))
  } catch {
    return []
  }
}
