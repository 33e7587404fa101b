import type { Cell } from '../cell/Cell.ts'
import type { CellSlice } from '../cell/CellSlice.ts'

/** A value on the stack of the virtual machine. */
export type VmValue =
  | { readonly kind: 'null' }
  /** Signed, 257 bits. */
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'nan' }
  | { readonly kind: 'cell'; readonly cell: Cell }
  | { readonly kind: 'slice'; readonly slice: CellSlice }
  /** What the builder holds, as a finished cell. */
  | { readonly kind: 'builder'; readonly cell: Cell }
  | { readonly kind: 'continuation'; readonly continuation: VmCont }
  | { readonly kind: 'tuple'; readonly items: readonly VmValue[] }

/** A control register that a continuation restores: 0 to 3 continuations, 4 and 5 cells, 7 a tuple. */
export type VmSavedRegister = { readonly register: number; readonly value: VmValue }

/** What a continuation brings along besides its code. */
export type VmControlData = {
  readonly argCount: number | undefined
  /** Bottom first. */
  readonly stack: readonly VmValue[] | undefined
  readonly savedRegisters: readonly VmSavedRegister[]
  readonly codePage: number | undefined
}

export type VmCont =
  | { readonly kind: 'ordinary'; readonly control: VmControlData; readonly code: CellSlice }
  | { readonly kind: 'envelope'; readonly control: VmControlData; readonly next: VmCont }
  | { readonly kind: 'quit'; readonly exitCode: number }
  | { readonly kind: 'quitException' }
  | { readonly kind: 'repeat'; readonly count: bigint; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'until'; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'again'; readonly body: VmCont }
  | { readonly kind: 'whileCondition'; readonly condition: VmCont; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'whileBody'; readonly condition: VmCont; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'pushInt'; readonly value: number; readonly next: VmCont }
