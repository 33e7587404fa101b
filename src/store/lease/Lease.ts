import type pg from 'pg'

/** The right to be the one who writes. */
export interface Lease {
  /** Grows with every change of hands. */
  readonly epoch: bigint
  /** Aborted, with a `LeaseLostError`, as soon as the lease may be somebody else's. */
  readonly signal: AbortSignal
  /**
   * To be called in every transaction that writes, as its last statement: nobody takes over between it and the commit. Throws a
   * `LeaseLostError` where somebody has.
   */
  guard(client: pg.ClientBase): Promise<void>
  /** Gives it back, so that another need not wait. */
  release(): Promise<void>
}

export type LeaseTimes = {
  /** How often a holder says that it is alive. */
  readonly renewMs: number
  /** A holder that could not say so for this long stops by itself … */
  readonly giveUpMs: number
  /** … and one that was silent for this long is replaced. */
  readonly staleMs: number
  /** How often those who wait look. */
  readonly pollMs: number
}

/** A holder that dies is replaced within a quarter of a second, one that hangs within eight; it knows after five that it is cut off. */
export const leaseTimes: LeaseTimes = { renewMs: 1000, giveUpMs: 4000, staleMs: 7000, pollMs: 250 }
