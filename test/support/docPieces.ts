import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { repository } from './childScript.ts'
import { tempFolder } from './tempFolder.ts'

const run = promisify(execFile)

/** A code block of a page. */
export type Piece = {
  /** Empty for a block of plain text. */
  readonly language: string
  readonly text: string
}

/** The code blocks of a page in their order, with its texts replaced: what the page says is what runs. */
export const readPieces = (page: string, replaced: Readonly<Record<string, string>> = {}): Piece[] => {
  const blocks = readFileSync(join(repository, page), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, language = '', text = '']) => ({
    language,
    text: Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), text),
  }))
}

/** The texts of the blocks in a language. */
export const piecesIn = (pieces: readonly Piece[], language: string): string[] =>
  pieces.filter((piece) => piece.language === language).map(({ text }) => text)

/** A folder in which TypeScript programs find what the pages import. */
export const pieceFolder = (t: TestContext): string => {
  const folder = tempFolder(t)
  const own = join(folder, 'node_modules/chaincenter')
  mkdirSync(own, { recursive: true })
  for (const name of ['@ton', 'tonweb', 'ws'])
    symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  const modules = { '.': 'cli/dev/startNetwork', './client': 'client/createClient', './testing': 'testing/matchers' }
  const exports = Object.entries(modules).map(([name, path]) => {
    const file = `${path.split('/').at(-1)}.ts`
    symlinkSync(join(repository, 'src', `${path}.ts`), join(own, file))
    return [name, `./${file}`]
  })
  writeFileSync(join(own, 'package.json'), JSON.stringify({ type: 'module', exports: Object.fromEntries(exports) }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  return folder
}

/** Runs TypeScript in such a folder until it ends by itself, and returns what it prints. */
export const runPiece = async (
  folder: string,
  name: string,
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  writeFileSync(join(folder, `${name}.ts`), text)
  const tsx = pathToFileURL(join(repository, 'node_modules/tsx/dist/loader.mjs')).href
  // A program with tests of its own reports as it does without us.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  const options = { cwd: folder, env: { ...own, NODE_NO_WARNINGS: '1', ...env }, timeout: 40_000 }
  return (await run(process.execPath, ['--import', tsx, `${name}.ts`], options)).stdout
}

/** Whether curl is at hand; without it, the test tells what it leaves out. */
export const haveCurl = (t: TestContext): boolean => {
  const isThere = spawnSync('curl', ['--version']).status === 0
  if (!isThere) t.diagnostic('NOT TESTED: there is no program curl.')
  return isThere
}
