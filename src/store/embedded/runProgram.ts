import { spawn } from 'node:child_process'
import type { Identity } from './Identity.ts'
import { serverEnvironment } from './serverEnvironment.ts'

export type ProgramResult = { readonly exitCode: number | null; readonly output: string }

export type RunOptions = {
  readonly identity: Identity | undefined
  readonly signal: AbortSignal
  /** Open files that the program gets as its descriptors 3, 4 … */
  readonly descriptors?: readonly number[]
}

/** Runs a program to its end. Rejects with the system's error where it cannot be started at all. */
export const runProgram = async (
  program: string,
  args: readonly string[],
  { identity, signal, descriptors = [] }: RunOptions,
): Promise<ProgramResult> => {
  signal.throwIfAborted()
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    windowsHide: true,
  })
  const end = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  try {
    const output = { text: '' }
    const collect = (chunk: string): void => {
      output.text = (output.text + chunk).slice(-MAX_OUTPUT)
    }
    child.stdout!.setEncoding('utf8').on('data', collect)
    child.stderr!.setEncoding('utf8').on('data', collect)
    const exitCode = await new Promise<number | null>((done, refuse) => child.on('error', refuse).on('close', done))
    signal.throwIfAborted()
    return { exitCode, output: output.text }
  } finally {
    signal.removeEventListener('abort', end)
  }
}

const MAX_OUTPUT = 20_000
