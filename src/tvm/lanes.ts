import type { CodedError } from '../primitives/errors.ts'
import { VmCrashedError, VmNotStartedError, VmResultError, VmTimeoutError } from './errors.ts'
import type { Machine } from './Machine.ts'
import type { RunOptions, WorkerPool } from './WorkerPool.ts'

/** A run on the lane it was given. */
export type Attempt<T> = (pool: WorkerPool, options: Pick<RunOptions, 'timeLimitMs' | 'isUrgent'>) => Promise<T>

export type LaneRun<T> = {
  /** Hash of the code in hexadecimal digits, and the number of the method or {@link TRANSACTION}. */
  readonly code: string
  readonly methodId: number
  /** Gets one attempt with little time, and goes before all others: the index waits for it. */
  readonly isShort: boolean
  readonly signal: AbortSignal | undefined
  /** An attempt with as little gas as nearly all get by with. */
  readonly quick: Attempt<T>
  /** An attempt with all the gas that the run may have. */
  readonly whole: Attempt<T>
  readonly judge: (outcome: T) => Verdict
}

/** `again`: with more gas it might have ended differently. `slow`: it ended, but took more than others should wait for. */
export type Verdict = 'quick' | 'slow' | 'again'

/** How much more time a short attempt gets with all of its gas: as much as the index gives takes less than that. */
const WHOLE_FACTOR = 2

/**
 * Code that is not known runs on trial first. It then runs in the usual lane as long as it is quick, and in the slow lane from
 * its first slow run on. Code that exceeds the limits of the slow lane is refused for some time.
 */
export const runInLane = async <T>(machine: Machine, run: LaneRun<T>): Promise<T> => {
  const { history, usual, trial, trials } = machine
  const { code, methodId, isShort, signal } = run
  for (;;) {
    history.check(code, methodId, isShort)
    const lane = history.laneOf(code, methodId)
    if (lane === 'slow') return isShort ? runShort(machine, run) : runInSlowLane(machine, run)
    if (lane === 'usual') return runQuick(machine, run, usual)
    const underWay = trials.get(code)
    // The index does not wait for the trial of another caller.
    if (underWay === undefined || isShort) {
      // The next run of this code is likely there.
      usual.startAll()
      return runQuick(machine, run, trial, underWay === undefined ? beginTrial(trials, code) : () => {})
    }
    await underWay
    signal?.throwIfAborted()
  }
}

/** Lets further runs of this code wait until the returned function is called. */
const beginTrial = (trials: Machine['trials'], code: string): (() => void) => {
  const { promise, resolve } = withResolvers()
  trials.set(code, promise)
  return () => {
    trials.delete(code)
    resolve()
  }
}

const withResolvers = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const runQuick = async <T>(
  machine: Machine,
  run: LaneRun<T>,
  pool: WorkerPool,
  onVerdict: () => void = () => {},
): Promise<T> => {
  const { history, quickTimeLimitMs } = machine
  const { code, methodId, isShort } = run
  try {
    const outcome = await run.quick(pool, { timeLimitMs: quickTimeLimitMs, isUrgent: isShort })
    const verdict = run.judge(outcome)
    if (verdict === 'quick') history.noteQuick(code, methodId)
    else history.noteSlow(code, methodId)
    if (verdict !== 'again') return outcome
  } catch (error) {
    if (error instanceof VmResultError) history.noteSlow(code, methodId)
    if (!isBreakdown(error)) throw error
    history.noteTimeout(code, methodId)
    if (isShort) throw error
  } finally {
    onVerdict()
  }
  return isShort ? runShort(machine, run) : runInSlowLane(machine, run)
}

/** All the gas, but little time, and nobody of the slow lane is waited for. */
const runShort = async <T>({ history, trial, quickTimeLimitMs }: Machine, run: LaneRun<T>): Promise<T> => {
  try {
    return await run.whole(trial, { timeLimitMs: WHOLE_FACTOR * quickTimeLimitMs, isUrgent: true })
  } catch (error) {
    if (isBreakdown(error)) history.noteTimeout(run.code, run.methodId)
    throw error
  }
}

/** For code that is not worth a trial. */
export const runInSlowLane = async <T>({ history, slow }: Machine, run: LaneRun<T>): Promise<T> => {
  history.check(run.code, run.methodId, false)
  try {
    return await run.whole(slow, {})
  } catch (error) {
    if (isBreakdown(error)) history.noteFailure(run.code, run.methodId)
    throw error
  }
}

/** Whether the run itself is the cause: it took too long, or the machine broke down under it. */
const isBreakdown = (error: unknown): error is CodedError =>
  error instanceof VmTimeoutError || (error instanceof VmCrashedError && !(error instanceof VmNotStartedError))
