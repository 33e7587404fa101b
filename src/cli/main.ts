import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { commands } from './commands.ts'
import { readVersion } from './readVersion.ts'
import { type Host, runCli } from './runCli.ts'

/** The program: the command line of this process. Sets the exit code and lets the process end by itself. */
export const main = async (): Promise<void> => {
  // A reader that went away ("chaincenter help | head") is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const isTerminal = process.stderr.isTTY === true
  process.exitCode = await runCli(
    {
      args: process.argv.slice(2),
      env: process.env,
      workingDir: process.cwd(),
      version: readVersion(),
      isTerminal,
      program: findProgram(process.argv[1] ?? '', process.cwd(), process.env['PATH'] ?? ''),
      columns: process.stderr.columns,
      ...(isTerminal && process.stdin.isTTY === true && { ask }),
      signals: process,
      writeOut: (text) => void process.stdout.write(text),
      writeError: (text) => void process.stderr.write(text),
    },
    commands,
  )
}

/** How a person calls this program in the current folder: a clone by its launcher, a package by its name. */
const findProgram = (launcher: string, workingDir: string, path: string): string => {
  const file = existsSync(launcher) ? realpathSync(launcher) : launcher
  if (existsSync(join(dirname(file), '../src/cli/main.ts'))) {
    const shown = relative(workingDir, file).replaceAll('\\', '/')
    return `node ${shown.includes(' ') ? `"${shown}"` : shown}`
  }
  const name = process.platform === 'win32' ? 'chaincenter.cmd' : 'chaincenter'
  // npx puts the folder of a local installation on the path of what it runs; the terminal does not have it.
  const folders = path.split(delimiter).filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
  return folders.some((folder) => isRunnable(join(folder, name))) ? 'chaincenter' : 'npx chaincenter'
}

const isRunnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const ask: NonNullable<Host['ask']> = async (question, signal) => {
  // Not as a terminal: Ctrl-C is for the process.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return await lines.question(question, { signal })
  } finally {
    lines.close()
  }
}
