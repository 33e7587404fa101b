import { EventEmitter } from 'node:events'
import type { TestContext } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { type Host, runCli } from '../../src/cli/runCli.ts'
import { writeTree } from './writeTree.ts'

export type CommandLineResult = { readonly exitCode: number; readonly out: string; readonly err: string }

/** Runs a command of the program in this process, in an empty folder unless the host names another. */
export const runCommandLine = async (
  t: TestContext,
  args: readonly string[],
  host: Partial<Host> = {},
  known = commands,
): Promise<CommandLineResult> => {
  let out = ''
  let err = ''
  const exitCode = await runCli(
    {
      args,
      env: {},
      workingDir: host.workingDir ?? writeTree(t, {}),
      version: '1.2.3',
      isTerminal: false,
      signals: Object.assign(new EventEmitter(), { exit: () => {} }),
      writeOut: (text) => {
        out += text
      },
      writeError: (text) => {
        err += text
      },
      ...host,
    },
    known,
  )
  return { exitCode, out, err }
}
