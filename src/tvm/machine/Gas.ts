import { failOutOfGas } from './faults.ts'

/** More than any run can have: what a limit that was not given counts as. */
export const UNLIMITED_GAS = 2 ** 63

export const CELL_LOAD_GAS = 100
export const CELL_RELOAD_GAS = 25
export const CELL_CREATE_GAS = 500
export const EXCEPTION_GAS = 50
export const IMPLICIT_JUMP_GAS = 10
export const IMPLICIT_RETURN_GAS = 5
export const INSTRUCTION_GAS = 10
const FREE_STACK_DEPTH = 32

export type GasLimits = { readonly limit: number; readonly max: number; readonly credit: number }

/** The gas of one run. */
export class Gas {
  max: number
  limit: number
  credit: number
  base: number
  remaining: number
  /** A run stops between two steps once less than this remains. */
  pauseAt = 0
  /** Below version 4 most charges are looked at only when the instruction is done. */
  private readonly atOnce: boolean

  constructor({ limit, max, credit }: GasLimits, version: number) {
    this.max = max
    this.limit = limit
    this.credit = credit
    this.base = limit + credit
    this.remaining = this.base
    this.atOnce = version >= 4
  }

  get used(): number {
    return this.base - this.remaining
  }

  charge(amount: number): void {
    this.remaining -= amount
    if (this.remaining < 0 && this.atOnce) failOutOfGas()
  }

  /** Charges that every version looks at immediately. */
  chargeNow(amount: number): void {
    this.remaining -= amount
    if (this.remaining < 0) failOutOfGas()
  }

  check(): void {
    if (this.remaining < 0) failOutOfGas()
  }

  /** A stack of this depth was cut off or put together. */
  chargeStack(depth: number): void {
    if (depth > FREE_STACK_DEPTH) this.charge(depth - FREE_STACK_DEPTH)
  }

  /** Ends the credit and sets another limit, at most the maximum. What was used stays used. */
  setLimit(limit: number): void {
    const next = Math.min(Math.max(limit, 0), this.max)
    this.credit = 0
    this.limit = next
    this.remaining += next - this.base
    if (this.pauseAt > 0) this.pauseAt = Math.max(0, this.pauseAt + next - this.base)
    this.base = next
  }

  /** Lets the run stop after about `slice` more gas. */
  setPause(slice: number): void {
    this.pauseAt = Math.max(0, this.remaining - slice)
  }
}
