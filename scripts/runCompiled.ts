import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compileTree, findTree } from './compileTree.ts'

type CompiledOptions = {
  readonly nodeArguments?: readonly string[]
  /** Where the compiled sources stay, and are used if they are there; else they are removed in the end. */
  readonly folder?: string | undefined
}

/** Runs a script of the repository compiled, as the package is; resolves with its exit code. */
export const runCompiled = async (
  root: string,
  script: string,
  args: readonly string[],
  { nodeArguments = [], folder: kept }: CompiledOptions = {},
): Promise<number> => {
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'chaincenter-compiled-')) : resolve(kept)
  // A terminal tells both of us: the other one ends, and we clean up.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore).on('SIGTERM', ignore)
  try {
    const tree = findTree(root, folder) ?? (await compileTree(root, folder, script === 'test'))
    const child = spawn(process.execPath, [...nodeArguments, join(tree, 'scripts', `${script}.js`), ...args], {
      stdio: 'inherit',
    })
    return await new Promise((done, refuse) => child.on('error', refuse).on('exit', (code) => done(code ?? 1)))
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', ignore)
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
