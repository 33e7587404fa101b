import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What a process has used so far. */
export type ProcessUse = {
  /** Of the processors, all its threads together. */
  readonly cpuMs: number
  /** What it holds after its garbage is collected. */
  readonly heldMib: number
  /** The lines that it has logged. */
  readonly logged: readonly string[]
}

/** A part of a measurement in a process of its own, so that its work is told apart from that of the others. */
export type BenchChild<Ready> = {
  readonly ready: Ready
  readUse(): Promise<ProcessUse>
  close(): Promise<void>
}

/** Starts a script, named from this folder, and waits until it says that it is ready. */
export const startChild = async <Ready>(script: string, args: readonly string[] = []): Promise<BenchChild<Ready>> => {
  const child = fork(join(import.meta.dirname, script), args, { execArgv: ['--expose-gc', '--import', 'tsx'] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`${script} ended with exit code ${code}.`)))
  failed.catch(() => undefined)
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [Ready]
  return {
    ready,
    readUse: async () => {
      child.send('use')
      const [use] = (await Promise.race([once(child, 'message'), failed])) as [ProcessUse]
      return use
    },
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The other side: says that all is ready, tells what was used when asked, and ends with the process that started it. */
export const serveParent = (ready: unknown, logged: readonly string[] = []): void => {
  process.on('message', () => {
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { heapUsed, external } = process.memoryUsage()
    const use: ProcessUse = { cpuMs: (user + system) / 1000, heldMib: (heapUsed + external) / 2 ** 20, logged }
    process.send?.(use)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(ready)
}
