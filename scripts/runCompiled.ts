import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileTree, findTree } from './compileTree.ts'

type CompiledOptions = {
  readonly nodeArguments?: readonly string[]
  /** A module, without its extension, that the process imports first, and those that it starts for test files. */
  readonly preload?: string
  /** Where the compiled sources stay, and are used if they are there; else they are removed in the end. */
  readonly folder?: string | undefined
}

/** Runs a script of the repository compiled, as the package is; resolves with its exit code. */
export const runCompiled = async (
  root: string,
  script: string,
  args: readonly string[],
  { nodeArguments = [], preload, folder: kept }: CompiledOptions = {},
): Promise<number> => {
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'chaincenter-compiled-')) : resolve(kept)
  // A terminal tells both of us: the other one ends, and we clean up.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore).on('SIGTERM', ignore)
  try {
    const tree = findTree(root, folder) ?? (await compileTree(root, folder, script === 'test'))
    const imported = preload === undefined ? [] : ['--import', pathToFileURL(join(tree, `${preload}.js`)).href]
    const program = join(tree, 'scripts', `${script}.js`)
    const child = spawn(process.execPath, [...nodeArguments, ...imported, program, ...args], { stdio: 'inherit' })
    return await new Promise((done, refuse) => child.on('error', refuse).on('exit', (code) => done(code ?? 1)))
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', ignore)
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
