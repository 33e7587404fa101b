import { CodedError } from '../../primitives/CodedError.ts'

/** A stack is deeper, wider or larger than is read or written here. */
export class VmStackLimitError extends CodedError {
  readonly code = 'vm_stack_limit'
}

export type VmStackLimits = {
  /** Entries of one stack. */
  readonly maxDepth: number
  /** Entries of one tuple. */
  readonly maxTuple: number
  /** Values and continuations in all: cells may be shared, so a few of them can spell out endlessly many. */
  readonly maxValues: number
  /** Values inside values. A list of n elements made of pairs is n deep. */
  readonly maxNesting: number
}

export const DEFAULT_VM_STACK_LIMITS: VmStackLimits = {
  maxDepth: 1024,
  maxTuple: 255,
  maxValues: 1 << 16,
  maxNesting: 1024,
}

/** What nodes accept as the arguments of a get-method. */
export const REQUEST_VM_STACK_LIMITS: VmStackLimits = { ...DEFAULT_VM_STACK_LIMITS, maxValues: 1000 }

/** The arguments of a get-method take at most so many bytes when serialized. */
export const MAX_ARGUMENT_BYTES = 256 * 1024

/** Counts what is read or written of one stack against its limits. */
export class VmStackCount {
  private readonly limits: VmStackLimits
  private values = 0

  constructor(limits: VmStackLimits) {
    this.limits = limits
  }

  /** One more value or continuation, `level` others around it. */
  add(level: number): void {
    const { maxValues, maxNesting } = this.limits
    if (++this.values > maxValues) {
      throw new VmStackLimitError(`A stack holds more than ${maxValues} values, the most that is taken here.`)
    }
    if (level > maxNesting) {
      throw new VmStackLimitError(`The values of a stack are nested more than ${maxNesting} deep.`)
    }
  }

  checkDepth(depth: number): void {
    const { maxDepth } = this.limits
    if (depth > maxDepth) throw new VmStackLimitError(`A stack has at most ${maxDepth} entries, this one has ${depth}.`)
  }

  checkTuple(length: number): void {
    const { maxTuple } = this.limits
    if (length > maxTuple) {
      throw new VmStackLimitError(`A tuple has at most ${maxTuple} entries, this one has ${length}.`)
    }
  }
}
