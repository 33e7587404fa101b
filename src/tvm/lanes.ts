import type { CodedError } from '../primitives/errors.ts'
import { VmCrashedError, VmNotStartedError, VmTimeoutError } from './errors.ts'
import { type Machine, NeedsThread } from './Machine.ts'
import { SlowInstruction } from './machine/faults.ts'
import type { VmAnswer } from './messages.ts'
import type { Pack } from './WorkerPool.ts'

export type LaneRun<T> = {
  /** Hash of the code in hexadecimal digits, and the number of the method or {@link TRANSACTION}. */
  readonly code: string | undefined
  readonly methodId: number
  /** Gets one attempt with little time, and goes before all others: the index waits for it. */
  readonly isShort: boolean
  /** The network waits for it: it goes before all others, and is never refused for what its code did before. */
  readonly isOwn: boolean
  readonly signal: AbortSignal | undefined
  /** Starts the run on the calling thread; throws where it needs more than that. */
  readonly inline: () => T | Promise<T>
  readonly pack: () => Pack
  readonly read: (answer: VmAnswer) => T
}

/**
 * A run begins on the calling thread with little gas. What needs more starts again on another thread, and from then on its code begins
 * there: runs are the same wherever they run. Code that exceeds its time there is refused for a while.
 */
export const runInLane = async <T>(machine: Machine, run: LaneRun<T>): Promise<T> => {
  const { history } = machine
  const { code, methodId, isShort, isOwn } = run
  if (code !== undefined && !isOwn) history.check(code, methodId, isShort)
  if (code === undefined || !history.isLong(code, methodId)) {
    try {
      const outcome = run.inline()
      const result = outcome instanceof Promise ? await outcome : outcome
      if (code !== undefined) history.noteQuick(code)
      return result
    } catch (error) {
      if (!(error instanceof NeedsThread || error instanceof SlowInstruction)) throw error
      if (code !== undefined) history.noteLong(code, methodId)
    }
  }
  return runOnThread(machine, run)
}

/** A run that begins on another thread, whatever its length. */
export const runOnOtherThread = async <T>(machine: Machine, run: Omit<LaneRun<T>, 'inline'>): Promise<T> => {
  const { code, methodId, isShort, isOwn } = run
  if (code !== undefined && !isOwn) machine.history.check(code, methodId, isShort)
  return runOnThread(machine, run)
}

const runOnThread = async <T>(
  { history, long, shortTimeLimitMs }: Machine,
  run: Omit<LaneRun<T>, 'inline'>,
): Promise<T> => {
  const { code, methodId, isShort, isOwn, signal } = run
  try {
    const timeLimitMs = isShort ? shortTimeLimitMs : undefined
    return run.read(await long.run(run.pack(), { signal, isUrgent: isShort || isOwn, timeLimitMs }))
  } catch (error) {
    if (code !== undefined && isBreakdown(error)) {
      if (isShort) history.noteTimeout(code, methodId)
      else history.noteFailure(code, methodId)
    }
    throw error
  }
}

/** Whether the run itself is the cause: it took too long, or its thread broke down under it. */
const isBreakdown = (error: unknown): error is CodedError =>
  error instanceof VmTimeoutError || (error instanceof VmCrashedError && !(error instanceof VmNotStartedError))
