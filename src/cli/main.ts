import { commands } from './commands.ts'
import { readVersion } from './readVersion.ts'
import { runCli } from './runCli.ts'

/** The program: the command line of this process. Sets the exit code and lets the process end by itself. */
export const main = async (): Promise<void> => {
  // A reader that went away ("chaincenter help | head") is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await runCli(
    {
      args: process.argv.slice(2),
      env: process.env,
      workingDir: process.cwd(),
      version: readVersion(),
      isTerminal: process.stderr.isTTY === true,
      signals: process,
      writeOut: (text) => void process.stdout.write(text),
      writeError: (text) => void process.stderr.write(text),
    },
    commands,
  )
}
