import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** How a process stands. */
export type Standing = {
  /** What it has used of the processors so far, all its threads together. */
  readonly cpuMs: number
  /** What it holds; its garbage too, unless that was to be collected. */
  readonly heldMib: number
  /** The lines that it has logged. */
  readonly logged: readonly string[]
}

/** A part of a measurement in a process of its own, so that its work is told apart from that of the others. */
export type BenchChild<Ready> = {
  readonly ready: Ready
  look(): Promise<Standing>
  /** Has it collect its garbage first. */
  lookTidied(): Promise<Standing>
  close(): Promise<void>
}

/** Starts a script, named from this folder, and waits until it says that it is ready. */
export const startChild = async <Ready>(script: string, args: readonly string[] = []): Promise<BenchChild<Ready>> => {
  const child = fork(join(import.meta.dirname, script), args, { execArgv: ['--expose-gc', '--import', 'tsx'] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`${script} ended with exit code ${code}.`)))
  failed.catch(() => undefined)
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [Ready]
  const ask = async (question: 'look' | 'tidy'): Promise<Standing> => {
    child.send(question)
    const [standing] = (await Promise.race([once(child, 'message'), failed])) as [Standing]
    return standing
  }
  return {
    ready,
    look: () => ask('look'),
    lookTidied: () => ask('tidy'),
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The other side: says that all is ready, tells how it stands when asked, and ends with the process that started it. */
export const serveParent = (ready: unknown, logged: readonly string[] = []): void => {
  process.on('message', (question) => {
    if (question === 'tidy') globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { heapUsed, external } = process.memoryUsage()
    const standing: Standing = { cpuMs: (user + system) / 1000, heldMib: (heapUsed + external) / 2 ** 20, logged }
    process.send?.(standing)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(ready)
}
