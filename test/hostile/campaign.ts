import { getHeapStatistics } from 'node:v8'
import { CodedError } from '../../src/primitives/errors.ts'
import { exercise, type RunStep } from './exercise.ts'
import { type HostileInput, makeHostileInput } from './hostileInput.ts'
import { Random } from './Random.ts'

/** For everything that is done with one input, of the processor’s time. */
export const MAX_INPUT_MS = 50
export const MAX_MEMORY_MIB = 64

/** What went wrong, and which input it was. */
export class HostileInputFailure extends Error {
  readonly number: number
  readonly input: HostileInput

  constructor(message: string, number: number, input: HostileInput, options?: ErrorOptions) {
    super(`Input ${number} (${input.kind}, ${input.bytes.length} bytes): ${message}`, options)
    this.number = number
    this.input = input
  }
}

export type Report = {
  readonly seed: number
  inputs: number
  /** The slowest single step (a decoding, a reading). Slow inputs are measured again before they count. */
  maxStepMs: number
  slowestStep: string
  /** All steps of one input together. */
  maxInputMs: number
  /** The most that was allocated after any step of one input, garbage included. */
  maxInputMib: number
  /** The most that was held after a collection, above the beginning. */
  maxHeldMib: number
  readonly kinds: Map<string, number>
  readonly outcomes: Map<string, number>
}

const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)

const usedMib = (): number => {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return (used_heap_size + external_memory) / 2 ** 20
}

/** Milliseconds that went by, and those the process had a processor for: on a busy machine the second is what counts. */
type Clock = () => number
const wallClock: Clock = () => performance.now()
const processorClock: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Timed = {
  readonly slow: readonly (readonly [string, number])[]
  readonly totalMs: number
  readonly peakMib: number
  readonly decoded: boolean
}

/** Runs all steps on one input and times each. */
const runInput = (
  seed: number,
  number: number,
  input: HostileInput,
  clock: Clock,
  onOutcome: (outcome: string) => void = () => {},
): Timed => {
  const slow: [string, number][] = []
  let totalMs = 0
  let peakMib = usedMib()
  const run: RunStep = (name, step) => {
    const start = clock()
    let outcome = `${name}: done`
    try {
      return step()
    } catch (error) {
      if (!(error instanceof CodedError)) {
        throw new HostileInputFailure(`${name} failed with ${String(error)}`, number, input, { cause: error })
      }
      outcome = `${name}: ${error.code}`
      return undefined
    } finally {
      const ms = clock() - start
      totalMs += ms
      peakMib = Math.max(peakMib, usedMib())
      if (ms > 5) slow.push([name, ms])
      onOutcome(outcome)
    }
  }
  const decoded = exercise(input.bytes, new Random(~seed, number), run)
  return { slow, totalMs, peakMib, decoded }
}

export type Campaign = {
  readonly seed: number
  readonly from: number
  readonly count: number
  readonly bags: readonly Uint8Array[]
  readonly onProgress?: (report: Report) => void
}

/** Runs inputs `from` to `from + count` of a seed. Throws at the first one that fails. */
export const runCampaign = (campaign: Campaign): Report => {
  // Nearly every step ends in an error, and most of its cost would be its stack.
  const { stackTraceLimit } = Error
  if (campaign.count > 1) Error.stackTraceLimit = 0
  try {
    return runInputs(campaign)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const runInputs = ({ seed, from, count: inputs, bags, onProgress }: Campaign): Report => {
  const collect = (): void => globalThis.gc?.()
  const report: Report = {
    seed,
    inputs: 0,
    maxStepMs: 0,
    slowestStep: '',
    maxInputMs: 0,
    maxInputMib: 0,
    maxHeldMib: 0,
    kinds: new Map(),
    outcomes: new Map(),
  }
  warmUp(seed, bags)
  collect()
  const baselineMib = usedMib()
  for (let number = from; number < from + inputs; number++) {
    const input = makeHostileInput(seed, number, bags)
    const before = usedMib()
    const processorStart = processorClock()
    const timed = runInput(seed, number, input, wallClock, (outcome) => count(report.outcomes, outcome))
    const allocated = timed.peakMib - before
    const processorMs = processorClock() - processorStart
    if (processorMs > MAX_INPUT_MS / 2) confirmTimes(seed, number, input, report)
    else noteTimes(timed, processorMs, report)
    if (allocated > MAX_MEMORY_MIB) {
      throw new HostileInputFailure(`its steps allocated ${allocated.toFixed(1)} MiB`, number, input)
    }
    report.maxInputMib = Math.max(report.maxInputMib, allocated)
    report.inputs++
    count(report.kinds, `${input.kind}: ${timed.decoded ? 'decoded' : 'refused'}`)
    if (report.inputs % 1000 === 0 || number === from + inputs - 1) {
      collect()
      const held = usedMib() - baselineMib
      report.maxHeldMib = Math.max(report.maxHeldMib, held)
      if (globalThis.gc !== undefined && held > MAX_MEMORY_MIB) {
        throw new HostileInputFailure(`${held.toFixed(1)} MiB more are held than at the beginning`, number, input)
      }
      onProgress?.(report)
    }
  }
  return report
}

/** No step took more than the process had a processor for, whatever the clock on the wall says. */
const noteTimes = ({ slow, totalMs }: Timed, processorMs: number, report: Report): void => {
  report.maxInputMs = Math.max(report.maxInputMs, Math.min(totalMs, processorMs))
  for (const [name, ms] of slow) {
    if (Math.min(ms, processorMs) <= report.maxStepMs) continue
    report.maxStepMs = Math.min(ms, processorMs)
    report.slowestStep = name
  }
}

/**
 * A collection, a compilation or another process may take the time of an input, so a slow one is measured again, until it
 * was in time or five times too slow.
 */
const confirmTimes = (seed: number, number: number, input: HostileInput, report: Report): void => {
  let best: Timed | undefined
  for (let round = 0; round < 5 && (best === undefined || best.totalMs > MAX_INPUT_MS / 2); round++) {
    const timed = runInput(seed, number, input, processorClock)
    if (best === undefined || timed.totalMs < best.totalMs) best = timed
  }
  if (best === undefined) return
  noteTimes(best, best.totalMs, report)
  if (best.totalMs <= MAX_INPUT_MS) return
  const [name, ms] = best.slow.toSorted(([, a], [, b]) => b - a)[0] ?? ['no step', 0]
  throw new HostileInputFailure(
    `it took ${best.totalMs.toFixed(1)} ms, ${name} ${ms.toFixed(1)} ms of them`,
    number,
    input,
  )
}

/** The first inputs are slow because nothing is compiled yet, which is nobody's attack. */
const warmUp = (seed: number, bags: readonly Uint8Array[]): void => {
  for (let number = 0; number < 300; number++) {
    const input = makeHostileInput(seed + 1, number, bags)
    runInput(seed + 1, number, input, wallClock)
  }
}
