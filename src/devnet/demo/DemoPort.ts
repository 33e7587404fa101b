import type { Cell } from '../../codec/cell/Cell.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import type { Address } from '../../primitives/Address.ts'

/** What the demonstration needs of a network. */
export interface DemoPort {
  /** Takes an external message. */
  send(message: Cell): Promise<unknown>
  /** The result of a get-method, or `undefined` where there is no active account or the method fails. */
  runMethod(address: Address, method: string, stack: VmStack): Promise<VmStack | undefined>
  /** The time of the network, in seconds. */
  now(): number
  /** Resolves when another block has been made. */
  nextBlock(): Promise<void>
}
