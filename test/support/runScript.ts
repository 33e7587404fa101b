import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from './childScript.ts'

const here = join(import.meta.dirname, '../..')

export type ScriptResult = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a TypeScript file of the repository in a process of its own; or bin/chaincenter.js, beside what runs here. */
export const runScript = (
  path: string,
  args: readonly string[] = [],
  { cwd = repository, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): ScriptResult => {
  // Inside a test, node:test marks the environment, and a test runner started there would refuse to run.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const isSource = path.endsWith('.ts')
  const loader = isSource ? ['--import', import.meta.resolve('tsx')] : []
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...loader, join(isSource ? repository : here, path), ...args],
    {
      cwd,
      env: { ...inherited, ...env },
      encoding: 'utf8',
      timeout: 120_000,
    },
  )
  return { exitCode: status, stdout, stderr }
}
