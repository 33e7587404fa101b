import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileTree } from './compileTree.ts'

/** Runs a script of the repository compiled, as the package is; resolves with its exit code. */
export const runCompiled = async (
  root: string,
  script: string,
  args: readonly string[],
  nodeArguments: readonly string[] = [],
): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-compiled-'))
  // A terminal tells both of us: the other one ends, and we clean up.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore).on('SIGTERM', ignore)
  try {
    const tree = await compileTree(root, folder, script === 'test')
    const child = spawn(process.execPath, [...nodeArguments, join(tree, 'scripts', `${script}.js`), ...args], {
      stdio: 'inherit',
    })
    return await new Promise((done, refuse) => child.on('error', refuse).on('exit', (code) => done(code ?? 1)))
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', ignore)
    rmSync(folder, { recursive: true, force: true })
  }
}
