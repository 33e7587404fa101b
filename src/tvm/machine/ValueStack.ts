import { Cell } from '../../codec/cell/Cell.ts'
import { fault, INTEGER_OVERFLOW, RANGE_CHECK, STACK_UNDERFLOW, TYPE_CHECK } from './faults.ts'
import { Builder, Continuation, type Integer, isInteger, isTuple, Slice, type Tuple, type Value } from './values.ts'

/** The stack of a machine, with pops that check what they take. */
export class ValueStack {
  stack: Value[]

  constructor(stack: Value[]) {
    this.stack = stack
  }

  need(count: number): void {
    if (this.stack.length < count) fault(STACK_UNDERFLOW)
  }

  push(value: Value): void {
    this.stack.push(value)
  }

  pushBool(value: boolean): void {
    this.stack.push(value ? -1 : 0)
  }

  pop(): Value {
    const { stack } = this
    if (stack.length === 0) fault(STACK_UNDERFLOW)
    return stack.pop() as Value
  }

  /** Any integer, NaN included. */
  popInt(): Integer {
    const value = this.pop()
    return isInteger(value) ? value : fault(TYPE_CHECK)
  }

  popFinite(): Integer {
    const value = this.popInt()
    // biome-ignore lint/suspicious/noSelfCompare: the fastest test for NaN, which only numbers can be
    return value === value ? value : fault(INTEGER_OVERFLOW)
  }

  popBool(): boolean {
    // Zero is always a number: what is a safe integer is never a bigint.
    return this.popFinite() !== 0
  }

  /** An integer from `min` to `max`, both safe integers. */
  popSmall(max: number, min = 0): number {
    const value = this.popInt()
    return typeof value === 'number' && value >= min && value <= max ? value : fault(RANGE_CHECK)
  }

  /** As {@link popSmall} for limits up to 2^63 − 1. */
  popLong(): number {
    const value = this.popInt()
    if (typeof value === 'number') return value >= 0 ? value : fault(RANGE_CHECK)
    return value >= 0n && value < 1n << 63n ? Number(value) : fault(RANGE_CHECK)
  }

  popCell(): Cell {
    const value = this.pop()
    return value instanceof Cell ? value : fault(TYPE_CHECK)
  }

  popMaybeCell(): Cell | null {
    const value = this.pop()
    return value === null || value instanceof Cell ? value : fault(TYPE_CHECK)
  }

  popSlice(): Slice {
    const value = this.pop()
    return value instanceof Slice ? value : fault(TYPE_CHECK)
  }

  popBuilder(): Builder {
    const value = this.pop()
    return value instanceof Builder ? value : fault(TYPE_CHECK)
  }

  popContinuation(): Continuation {
    const value = this.pop()
    return value instanceof Continuation ? value : fault(TYPE_CHECK)
  }

  /** A tuple of `min` to `max` values; of any other length it is of a wrong type. */
  popTuple(max = 255, min = 0): Tuple {
    const value = this.pop()
    return isTuple(value) && value.length <= max && value.length >= min ? value : fault(TYPE_CHECK)
  }

  popMaybeTuple(): Tuple | null {
    const value = this.pop()
    return value === null || (isTuple(value) && value.length <= 255) ? value : fault(TYPE_CHECK)
  }

  /** Takes the top `count` values, in their order; the caller has checked that they are there. */
  takeTop(count: number): Value[] {
    return count === 0 ? [] : this.stack.splice(this.stack.length - count, count)
  }
}
