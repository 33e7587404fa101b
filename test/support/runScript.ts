import { spawnSync } from 'node:child_process'
import { extname, join } from 'node:path'
import { childArguments, childScript, repository } from './childScript.ts'

const here = join(import.meta.dirname, '../..')

export type ScriptResult = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }

type RunOptions = {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArguments?: readonly string[]
}

/**
 * Runs a script in a process of its own: a TypeScript file of the repository, bin/chaincenter.js beside what runs here or, named without
 * an extension, a script as what runs here is, compiled or not.
 */
export const runScript = (
  path: string,
  args: readonly string[] = [],
  { cwd = repository, env = {}, nodeArguments = [] }: RunOptions = {},
): ScriptResult => {
  // Inside a test, node:test marks the environment, and a test runner started there would refuse to run.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const { loader, script } = locate(path)
  const { status, stdout, stderr } = spawnSync(process.execPath, [...loader, ...nodeArguments, script, ...args], {
    cwd,
    env: { ...inherited, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  })
  return { exitCode: status, stdout, stderr }
}

const locate = (path: string): { readonly loader: readonly string[]; readonly script: string } => {
  const tsx = ['--import', import.meta.resolve('tsx')]
  if (path.endsWith('.ts')) return { loader: tsx, script: join(repository, path) }
  if (extname(path) === '') return { loader: childArguments.length > 0 ? tsx : [], script: childScript(here, path) }
  return { loader: [], script: join(here, path) }
}
