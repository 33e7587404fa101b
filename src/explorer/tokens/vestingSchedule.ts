/** Times are in seconds. */
export type Schedule = {
  readonly start: number
  readonly duration: number
  /** A part is unlocked at the end of every period. */
  readonly period: number
  /** Nothing is unlocked before its end. */
  readonly cliff: number
  readonly total: bigint
}

/** What is unlocked at a moment, as the contract reckons. */
export const unlockedAt = ({ start, duration, period, cliff, total }: Schedule, time: number): bigint => {
  if (time < start + cliff || time < start) return 0n
  if (time >= start + duration || period <= 0) return total
  const parts = BigInt(Math.floor(duration / period))
  const passed = BigInt(Math.floor((time - start) / period))
  return parts === 0n ? total : (total * passed) / parts
}

export type ScheduleStep = { readonly time: number; readonly unlocked: bigint }

/** A chart has no room for more. */
const MAX_STEPS = 500

/** The moments at which more is unlocked. Of very many, some. */
export const stepsOf = (schedule: Schedule): ScheduleStep[] => {
  const { start, duration, period, cliff } = schedule
  const count = period <= 0 ? 1 : Math.max(1, Math.floor(duration / period))
  const stride = Math.ceil(count / MAX_STEPS)
  const times = [start + cliff]
  for (let part = stride; part < count; part += stride) {
    const time = start + part * period
    if (time > start + cliff) times.push(time)
  }
  times.push(start + duration)
  return times.map((time) => ({ time, unlocked: unlockedAt(schedule, time) }))
}
