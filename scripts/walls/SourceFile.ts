import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { listFiles } from '../listFiles.ts'
import { type Import, readImports } from './readImports.ts'
import { testSuffixes } from './rules.ts'

/** Where an import leads: a file of ours (its path from the root), a module of Node, or an npm package (its name). */
export type Target = Import & { readonly kind: 'file' | 'builtin' | 'package'; readonly to: string }

export type SourceFile = { readonly path: string; readonly targets: readonly Target[] }

/** The sources of `src` with their imports; test and bench files are left out, since the walls do not bind them. */
export const readSources = (root: string): SourceFile[] =>
  listFiles(root, ['src'], ['.ts', '.tsx'])
    .filter((path) => !isTestFile(path))
    .map((path) => ({
      path,
      targets: readImports(path, readFileSync(join(root, path), 'utf8')).map((found) => resolveImport(path, found)),
    }))

export const isTestFile = (path: string): boolean => testSuffixes.some((suffix) => path.endsWith(suffix))

const resolveImport = (from: string, found: Import): Target => {
  const { specifier } = found
  if (specifier.startsWith('.')) return { ...found, kind: 'file', to: posix.join(posix.dirname(from), specifier) }
  if (isBuiltin(specifier)) return { ...found, kind: 'builtin', to: specifier }
  const parts = specifier.split('/')
  return { ...found, kind: 'package', to: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') }
}
