import { type Profiler, Session } from 'node:inspector/promises'

/** A frame of a stack: the function, and the file that it is in (nothing for what the engine has built in). */
export type Frame = { readonly name: string; readonly url: string }

/** What one stack took by itself, the innermost frame first. */
export type StackTime = { readonly stack: readonly Frame[]; readonly us: number }

const INTERVAL_US = 250

// Samples are by the clock. Outside of functions a thread has nothing to do or waits for a processor that others use.
const notAtWork = new Set(['(idle)', '(program)'])

/** Watches where this thread spends its time, until the returned function is called. Time that it waits is left out. */
export const startCpuProfile = async (): Promise<() => Promise<StackTime[]>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return listStackTimes(profile)
  }
}

const listStackTimes = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): StackTime[] => {
  const times = new Map<number, number>()
  samples.forEach((id, k) => {
    times.set(id, (times.get(id) ?? 0) + timeDeltas[k]!)
  })
  const result: StackTime[] = []
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const visit = (id: number, callers: readonly Frame[]): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const stack = [{ name: callFrame.functionName, url: callFrame.url }, ...callers]
    const us = times.get(id) ?? 0
    if (us > 0 && !notAtWork.has(callFrame.functionName)) result.push({ stack, us })
    for (const child of children) visit(child, stack)
  }
  const [root] = nodes
  if (root !== undefined) visit(root.id, [])
  return result
}
