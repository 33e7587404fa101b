// Part of npm run build: removes the declarations from dist that neither the public modules of package.json nor what these name need.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listFiles } from './listFiles.ts'
import { readImports } from './walls/readImports.ts'

const root = join(import.meta.dirname, '..')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string }>
}

const needed = new Set<string>()
const visit = (file: string): void => {
  if (needed.has(file) || !existsSync(join(root, file))) return
  needed.add(file)
  for (const { specifier } of readImports(file, readFileSync(join(root, file), 'utf8'))) {
    if (specifier.startsWith('.')) visit(posix.join(posix.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')))
  }
}
for (const entry of Object.values(exports)) if (typeof entry === 'object') visit(posix.normalize(entry.types))
for (const file of listFiles(root, ['dist'], ['.d.ts'])) if (!needed.has(file)) rmSync(join(root, file))
