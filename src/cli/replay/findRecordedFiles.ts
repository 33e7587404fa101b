import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordedFilesError } from './errors.ts'

/** What of a folder may be part of a chain, by the ending of its name. */
export type RecordedFiles = {
  readonly bags: readonly string[]
  readonly packs: readonly string[]
  readonly archives: readonly string[]
}

const MAX_FILES = 1_000_000

/** Looks through folders, however deep. */
export const findRecordedFiles = async (folders: readonly string[]): Promise<RecordedFiles> => {
  const paths: string[] = []
  for (const folder of folders) {
    try {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) paths.push(join(entry.parentPath, entry.name))
        if (paths.length > MAX_FILES)
          throw new RecordedFilesError(`There are more than ${MAX_FILES} files in ${folder}.`)
      }
    } catch (cause) {
      if (cause instanceof RecordedFilesError) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new RecordedFilesError(`The folder ${folder} cannot be read: ${reason}.`, { cause })
    }
  }
  const ending = (...endings: string[]) => paths.filter((path) => endings.some((each) => path.endsWith(each))).sort()
  return { bags: ending('.boc'), packs: ending('.pack'), archives: ending('.tar.gz', '.tgz') }
}
