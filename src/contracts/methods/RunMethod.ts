import type { VmStack } from '../../codec/tlb/VmStack.ts'
import type { Address } from '../../primitives/Address.ts'

export type MethodResult = {
  /** 0 and 1 are success. A contract without code, and one that does not exist, ends with -13. */
  readonly exitCode: number
  readonly stack: VmStack
}

/**
 * Runs a get-method by its name, all of one question against the state of the same block. Fails only where the run could
 * not be made; whatever a contract does is a result.
 */
export type RunMethod = (address: Address, method: string, stack: VmStack) => Promise<MethodResult>
