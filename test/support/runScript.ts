import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export type ScriptResult = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }

const repository = join(import.meta.dirname, '../..')

/** Runs a TypeScript file of the repository (or bin/chaincenter.js) in a process of its own. */
export const runScript = (
  path: string,
  args: readonly string[] = [],
  { cwd = repository, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): ScriptResult => {
  // Inside a test, node:test marks the environment, and a test runner started there would refuse to run.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const loader = path.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
  const { status, stdout, stderr } = spawnSync(process.execPath, [...loader, join(repository, path), ...args], {
    cwd,
    env: { ...inherited, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  })
  return { exitCode: status, stdout, stderr }
}
