// Looks for words that this project does not use (scripts/words/words.ts) in exported names, log messages, help, settings, errors and texts of
// src, and in the documentation. --root <folder> checks another tree.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles } from './listFiles.ts'
import { isTestFile } from './walls/SourceFile.ts'
import { findInPage, findInSource } from './words/findWords.ts'

const { values } = parseArgs({ options: { root: { type: 'string' } } })
const root = resolve(values.root ?? join(import.meta.dirname, '..'))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const sources = listFiles(root, ['src'], ['.ts', '.tsx']).filter((path) => !isTestFile(path))
const pages = [
  ...listFiles(root, ['docs', '.changeset', '.github'], ['.md', '.json', '.yml']),
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
]
const offences = [
  ...sources.flatMap((path) => findInSource(path, read(path))),
  ...pages.flatMap((path) => findInPage(path, read(path))),
]
for (const { path, line, found, write } of offences) console.error(`${path}:${line} "${found}": write ${write}`)
if (offences.length > 0) {
  console.error(`${offences.length} words to replace; the list is in scripts/words/words.ts.`)
  process.exitCode = 1
}
