import type { Cell } from '../../codec/cell/Cell.ts'
import type { CellAccess, CellAccessOptions } from './CellAccess.ts'

/** What an observer of a run is told; `Vm` is the machine. */
export interface ObserverOf<Vm> {
  /** Called before each step; `word` is what stands at the code position, in 24 bits. */
  step(vm: Vm, word: number): void
  /** The machine itself raises an exception. */
  fault(vm: Vm, code: number): void
  /** Called before the first step; `code` is what the run was given, `vm` is missing where that is nothing. */
  begin?(vm: Vm | undefined, code: Cell | undefined): void
  /** An exception, raised by the machine or thrown by the code, goes to the handler in c2. */
  exception?(vm: Vm, code: number): void
  /** RUNVM starts a run inside this one. */
  enterChild?(vm: Vm, child: Vm): void
  /** That run has ended, and its gas, `charged`, and its results are about to go to the outer one. */
  leaveChild?(vm: Vm, child: Vm, charged: number): void
  /** Cells for the run, where it wants to see which are loaded. */
  openCells?(options: CellAccessOptions): CellAccess
}
