import { fork } from 'node:child_process'
import { once } from 'node:events'
import { childArguments, childScript } from './childScript.ts'
import { startCpuProfile } from './cpuProfile.ts'
import { sumStages } from './readStages.ts'

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
  /** Begins to watch where its main thread spends its time. */
  watch(): Promise<void>
  /** What that came to: the share of each stage. */
  unwatch(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

type Question = 'look' | 'tidy' | 'watch' | 'unwatch'

/** Starts a script, named from this folder, and waits until it says that it is ready. */
export const startChild = async <Ready>(
  script: string,
  args: readonly string[] = [],
  nodeArguments: readonly string[] = [],
): Promise<BenchChild<Ready>> => {
  const execArgv = ['--expose-gc', ...nodeArguments, ...childArguments]
  const child = fork(childScript(import.meta.dirname, script), args, { execArgv })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`${script} ended with exit code ${code}.`)))
  failed.catch(() => undefined)
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [Ready]
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    child.send(question)
    const [answer] = (await Promise.race([once(child, 'message'), failed])) as [Answer]
    return answer
  }
  return {
    ready,
    look: () => ask('look'),
    lookTidied: () => ask('tidy'),
    watch: () => ask('watch'),
    unwatch: async () => new Map(await ask<[string, number][]>('unwatch')),
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The other side: says that all is ready, tells how it stands when asked, and ends with the process that started it. */
export const serveParent = (ready: unknown, logged: readonly string[] = []): void => {
  let stopProfile: Awaited<ReturnType<typeof startCpuProfile>> | undefined
  const answer = async (question: Question): Promise<unknown> => {
    if (question === 'watch') {
      stopProfile = await startCpuProfile()
      return true
    }
    if (question === 'unwatch') return [...sumStages((await stopProfile?.()) ?? [])]
    if (question === 'tidy') globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { heapUsed, external } = process.memoryUsage()
    const standing: Standing = { cpuMs: (user + system) / 1000, heldMib: (heapUsed + external) / 2 ** 20, logged }
    return standing
  }
  process.on('message', async (question: Question) => {
    process.send?.(await answer(question))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(ready)
}
