import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listFiles } from '../listFiles.ts'
import { readImports } from '../walls/readImports.ts'

/** Those of `files` that import the module, or something that does. Imports of types alone do not count: nothing of them runs. */
export const findDependents = (root: string, files: readonly string[], module: string): string[] => {
  const importers = new Map<string, string[]>()
  for (const file of listFiles(root, ['src', 'test', 'scripts'], ['.ts', '.tsx', '.js'])) {
    for (const { specifier, typeOnly } of readImports(file, readFileSync(join(root, file), 'utf8'))) {
      if (typeOnly || !specifier.startsWith('.')) continue
      const imported = posix.join(posix.dirname(file), specifier)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  const reached = new Set([module])
  for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer)
  return files.filter((file) => reached.has(file))
}
