export type Timing = {
  /** Median over the rounds, for one call. CPU time is that of the whole process: collector and compiler threads count. */
  readonly cpuMs: number
  readonly wallMs: number
  readonly rounds: number
  readonly callsPerRound: number
}

export type MeasureOptions = {
  readonly rounds?: number
  /** A round repeats a rival until about this much time has passed, so that short functions are timed too. */
  readonly roundMs?: number
  /** Time each rival gets to be compiled before anything is counted. */
  readonly warmupMs?: number
}

/**
 * Times rivals in one process, in alternation, so that a busy machine slows all of them alike: within every round each
 * rival has its turn. Compare `cpuMs` of the results; wall time is for the reader. Run with `--expose-gc` (as
 * `npm run bench` does), and no rival pays for collecting the garbage of another.
 */
export const measure = <Name extends string>(
  rivals: Readonly<Record<Name, () => unknown>>,
  { rounds = 7, roundMs = 100, warmupMs = 200 }: MeasureOptions = {},
): Record<Name, Timing> => {
  const names = Object.keys(rivals) as Name[]
  const calls = new Map(names.map((name) => [name, warmUp(rivals[name], warmupMs, roundMs)]))
  const samples = new Map(names.map((name) => [name, [] as Sample[]]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples.get(name)?.push(timeRound(rivals[name], calls.get(name) ?? 1))
  }
  const timings = names.map((name) => {
    const taken = samples.get(name) ?? []
    return [name, { ...medians(taken), rounds, callsPerRound: calls.get(name) ?? 1 }]
  })
  return Object.fromEntries(timings) as Record<Name, Timing>
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

type Sample = { readonly cpuMs: number; readonly wallMs: number }

// The engine may drop a call whose result goes nowhere, so the last one is kept here.
const kept: { result: unknown } = { result: undefined }

/** Runs the rival for the warm-up time and tells how many calls make up a round. */
const warmUp = (rival: () => unknown, warmupMs: number, roundMs: number): number => {
  const end = performance.now() + warmupMs
  const durations: number[] = []
  do {
    const start = performance.now()
    kept.result = rival()
    durations.push(performance.now() - start)
  } while (performance.now() < end)
  // Only the later calls count: the first ones ran before the engine had compiled anything.
  const typical = median(durations.slice(durations.length >> 1))
  return Math.max(1, Math.round(roundMs / Math.max(typical, 1e-4)))
}

const timeRound = (rival: () => unknown, calls: number): Sample => {
  globalThis.gc?.()
  const cpuStart = process.cpuUsage()
  const start = performance.now()
  for (let i = 0; i < calls; i++) kept.result = rival()
  const wall = performance.now() - start
  const cpu = process.cpuUsage(cpuStart)
  return { cpuMs: (cpu.user + cpu.system) / 1000 / calls, wallMs: wall / calls }
}

const medians = (taken: readonly Sample[]): Sample => ({
  cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
  wallMs: median(taken.map(({ wallMs }) => wallMs)),
})
