import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Files below the given folders of `root` whose name ends in one of the suffixes, as sorted paths with forward slashes. */
export const listFiles = (root: string, folders: readonly string[], suffixes: readonly string[]): string[] =>
  folders.flatMap((folder) => listFolder(root, folder, suffixes)).sort()

const listFolder = (root: string, folder: string, suffixes: readonly string[]): string[] => {
  const start = join(root, folder)
  try {
    return readdirSync(start, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && suffixes.some((suffix) => entry.name.endsWith(suffix)))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .map((path) => path.split(sep).join('/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
