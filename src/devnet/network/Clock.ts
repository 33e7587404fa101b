/**
 * The time of the network, in seconds. It never goes back. By default it is the machine's, moved ahead by an offset; a clock
 * that starts at a given time is moved by blocks and by hand only, so that the same inputs give the same times.
 */
export interface Clock {
  readonly kind: 'machine' | 'virtual'
  now(): number
  /** Offset set by controls, in seconds. */
  readonly offset: number
  move(seconds: number): void
  /** Says that a block was made at this time. A virtual clock goes on by the time between blocks. */
  passBlock(utime: number): void
  /** The state for a snapshot. */
  save(): ClockState
  restore(state: ClockState): void
}

export type ClockState = { readonly offset: number; readonly atMs: number }

export type ClockOptions = {
  /** The time of the newest block, below which the clock does not start. */
  readonly notBefore: number
  readonly offset?: number
  /** Makes it a virtual clock that stands at this second before the first block. */
  readonly startTime?: number | undefined
  /** How far a virtual clock goes on with each block. */
  readonly blockMs?: () => number
  readonly readMachineMs?: () => number
}

export const createClock = (options: ClockOptions): Clock =>
  options.startTime === undefined ? createMachineClock(options) : createVirtualClock(options, options.startTime)

const createMachineClock = ({ notBefore, offset: first = 0, readMachineMs = Date.now }: ClockOptions): Clock => {
  let offset = first
  let newest = notBefore
  return {
    kind: 'machine',
    get offset() {
      return offset
    },
    now: () => {
      // The machine's clock may be set back; the network's waits until it has caught up.
      newest = Math.max(newest, Math.floor(readMachineMs() / 1000) + offset)
      return newest
    },
    move: (seconds) => {
      offset += seconds
    },
    passBlock: (utime) => {
      newest = Math.max(newest, utime)
    },
    save: () => ({ offset, atMs: newest * 1000 }),
    restore: (state) => {
      offset = state.offset
      newest = Math.floor(state.atMs / 1000)
    },
  }
}

const createVirtualClock = (
  { notBefore, offset: first = 0, blockMs = () => 1000 }: ClockOptions,
  startTime: number,
): Clock => {
  let offset = first
  let atMs = Math.max(startTime, notBefore) * 1000
  return {
    kind: 'virtual',
    get offset() {
      return offset
    },
    now: () => Math.floor(atMs / 1000),
    move: (seconds) => {
      offset += seconds
      atMs += seconds * 1000
    },
    passBlock: () => {
      atMs += blockMs()
    },
    save: () => ({ offset, atMs }),
    restore: (state) => {
      offset = state.offset
      atMs = state.atMs
    },
  }
}
