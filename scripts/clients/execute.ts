import { spawn, spawnSync } from 'node:child_process'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

export type ExecuteOptions = {
  readonly cwd: string
  readonly limitMs: number
  readonly env?: NodeJS.ProcessEnv
}

export const PYTHON = process.platform === 'win32' ? 'python' : 'python3'

// On Windows, npm and mvn are scripts, which need a shell.
const shell = process.platform === 'win32'

/** Runs a command to its end; resolves with its exit code and all that it printed. */
export const execute = async ([program, ...args]: Command, { cwd, limitMs, env = {} }: ExecuteOptions) => {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, shell })
  child.stdin.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const code = await new Promise<number | null>((done) => {
    child.on('error', ({ message }) => {
      err += message
      done(1)
    })
    child.on('close', done)
  })
  clearTimeout(timer)
  return { code, out, err }
}

export const isAtHand = (program: string): boolean =>
  spawnSync(program, [program === 'go' ? 'version' : '--version'], { shell }).status === 0
