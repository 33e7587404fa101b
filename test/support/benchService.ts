import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { childArguments, childScript } from './childScript.ts'
import { parseMetrics } from './parseMetrics.ts'

/** The command `serve`, all its processes together. */
export type BenchService = {
  readonly url: string
  readonly pid: number
  /** What they have used of the processors so far. */
  readCpuMs(): Promise<number>
  close(): Promise<void>
}

export const startService = async (
  args: readonly string[],
  nodeArguments: readonly string[] = [],
): Promise<BenchService> => {
  const script = childScript(import.meta.dirname, 'benchServe')
  const all = [
    ...nodeArguments,
    ...childArguments,
    script,
    'serve',
    '--json',
    '--port',
    '0',
    '--no-limits',
    '--log-level',
    'error',
    ...args,
  ]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`serve ended with exit code ${code}.`)))
  failed.catch(() => undefined)
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
  const { url, operations } = JSON.parse(line) as { readonly url: string; readonly operations: string }
  return {
    url,
    pid: child.pid!,
    readCpuMs: async () => {
      const { samples } = parseMetrics(await (await fetch(`${operations}/metrics`)).text())
      const own = samples.filter(({ name }) => name === 'process_cpu_seconds_total')
      return 1000 * own.reduce((sum, { value }) => sum + value, 0)
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
