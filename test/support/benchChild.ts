import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What a process has used of the processors, all its threads together. */
export type CpuUse = { readonly cpuMs: number; readonly heldMib: number }

/** A part of a measurement in a process of its own, so that its work is told apart from that of the others. */
export type BenchChild<Ready> = {
  readonly ready: Ready
  readUse(): Promise<CpuUse>
  close(): Promise<void>
}

/** Starts a script of this folder and waits until it says that it is ready. */
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
      const [use] = (await Promise.race([once(child, 'message'), failed])) as [CpuUse]
      return use
    },
    close: async () => {
      child.disconnect()
      await ended
    },
  }
}

/** The other side: says that all is ready, tells what was used when asked, and ends with the process that started it. */
export const serveParent = (ready: unknown): void => {
  process.on('message', () => {
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { heapUsed, external } = process.memoryUsage()
    process.send?.({ cpuMs: (user + system) / 1000, heldMib: (heapUsed + external) / 2 ** 20 } satisfies CpuUse)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(ready)
}
