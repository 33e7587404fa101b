import type { Cell } from '../../codec/cell/Cell.ts'
import type { Slice, Tuple, Value } from './values.ts'

/** Registers that a continuation restores when it is entered: c0 to c5, and c7 in the last slot. */
export type SavedRegisters = {
  readonly c0: Continuation | undefined
  readonly c1: Continuation | undefined
  readonly c2: Continuation | undefined
  readonly c3: Continuation | undefined
  readonly c4: Cell | undefined
  readonly c5: Cell | undefined
  readonly c7: Tuple | undefined
}

export type ControlData = {
  /** Values that go below those that are passed; `undefined` is not the same as none. */
  readonly stack: readonly Value[] | undefined
  /** How many values it takes, −1 for any number. */
  readonly nargs: number
  readonly save: SavedRegisters
}

export const NOTHING_SAVED: SavedRegisters = {
  c0: undefined,
  c1: undefined,
  c2: undefined,
  c3: undefined,
  c4: undefined,
  c5: undefined,
  c7: undefined,
}

export const NO_CONTROL: ControlData = { stack: undefined, nargs: -1, save: NOTHING_SAVED }

export type ContinuationKind =
  | 'ordinary'
  | 'envelope'
  | 'quit'
  | 'quitException'
  | 'pushInt'
  | 'repeat'
  | 'again'
  | 'until'
  | 'whileCondition'
  | 'whileBody'

/** One class for all kinds, so that entering one is the same code path for the engine. Unused members are `undefined`. */
export class Continuation {
  readonly kind: ContinuationKind
  /** Where it goes on, for an ordinary one. */
  readonly code: Slice | undefined
  /** Only ordinary ones and envelopes have control data. */
  readonly control: ControlData | undefined
  /** Exit code, value to push, or rounds left. */
  readonly number: number
  /** Body of a loop, or what follows an envelope or a pushed integer. */
  readonly body: Continuation | undefined
  readonly after: Continuation | undefined
  readonly condition: Continuation | undefined

  constructor(
    kind: ContinuationKind,
    code: Slice | undefined,
    control: ControlData | undefined,
    number: number,
    body?: Continuation,
    after?: Continuation,
    condition?: Continuation,
  ) {
    this.kind = kind
    this.code = code
    this.control = control
    this.number = number
    this.body = body
    this.after = after
    this.condition = condition
  }

  get hasC0(): boolean {
    return this.control?.save.c0 !== undefined
  }

  /** Whether jumping to it changes the stack. */
  get takesStack(): boolean {
    const { control } = this
    return control !== undefined && (control.stack !== undefined || control.nargs >= 0)
  }

  /** The same with other control data; kinds without any are put into an envelope. */
  withControl(control: ControlData): Continuation {
    if (this.kind === 'ordinary') return new Continuation('ordinary', this.code, control, 0)
    if (this.kind === 'envelope') return new Continuation('envelope', undefined, control, 0, this.body)
    return new Continuation('envelope', undefined, control, 0, this)
  }

  /** With these registers saved, each only if its slot is empty. */
  define(registers: Partial<SavedRegisters>): Continuation {
    const control = this.control ?? NO_CONTROL
    const save = { ...control.save }
    save.c0 ??= registers.c0
    save.c1 ??= registers.c1
    save.c2 ??= registers.c2
    save.c3 ??= registers.c3
    save.c4 ??= registers.c4
    save.c5 ??= registers.c5
    save.c7 ??= registers.c7
    return this.withControl({ stack: control.stack, nargs: control.nargs, save })
  }
}

export const ordinary = (code: Slice, control: ControlData = NO_CONTROL): Continuation =>
  new Continuation('ordinary', code, control, 0)

export const quit = (exitCode: number): Continuation => new Continuation('quit', undefined, undefined, exitCode)

export const QUIT_0 = quit(0)
export const QUIT_1 = quit(1)
export const QUIT_11 = quit(11)
export const QUIT_EXCEPTION = new Continuation('quitException', undefined, undefined, 0)

export const pushInt = (value: number, next: Continuation): Continuation =>
  new Continuation('pushInt', undefined, undefined, value, next)

export const repeatLoop = (body: Continuation, after: Continuation, rounds: number): Continuation =>
  new Continuation('repeat', undefined, undefined, rounds, body, after)

export const againLoop = (body: Continuation): Continuation => new Continuation('again', undefined, undefined, 0, body)

export const untilLoop = (body: Continuation, after: Continuation): Continuation =>
  new Continuation('until', undefined, undefined, 0, body, after)

export const whileCondition = (condition: Continuation, body: Continuation, after: Continuation): Continuation =>
  new Continuation('whileCondition', undefined, undefined, 0, body, after, condition)

export const whileBody = (condition: Continuation, body: Continuation, after: Continuation): Continuation =>
  new Continuation('whileBody', undefined, undefined, 0, body, after, condition)
