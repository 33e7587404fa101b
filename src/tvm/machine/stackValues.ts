import type { VmCont, VmControlData, VmValue } from '../../codec/tlb/VmValue.ts'
import { shrink } from './bits.ts'
import {
  Builder,
  Continuation,
  type ContinuationKind,
  type ControlData,
  NOTHING_SAVED,
  type SavedRegisters,
  Slice,
  type Value,
} from './values.ts'

/** From values that are read from bags of cells to those of the machine. */

export const fromVmValue = (value: VmValue): Value => {
  switch (value.kind) {
    case 'null':
      return null
    case 'int':
      return shrink(value.value)
    case 'nan':
      return Number.NaN
    case 'cell':
      return value.cell
    case 'slice': {
      const { arena, index, bitStart, bitEnd, refStart, refEnd } = value.slice
      return new Slice(arena, index, bitStart, bitEnd, refStart, refEnd)
    }
    case 'builder':
      return Builder.empty.withSlice(Slice.of(value.cell))
    case 'continuation':
      return fromVmCont(value.continuation)
    case 'tuple':
      return value.items.map(fromVmValue)
  }
}

const REGISTERS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', undefined, 'c7'] as const

const fromControl = ({ argCount, stack, savedRegisters }: VmControlData): ControlData => {
  const save: { [Name in keyof SavedRegisters]: SavedRegisters[Name] } = { ...NOTHING_SAVED }
  for (const { register, value } of savedRegisters) {
    const name = REGISTERS[register]
    if (name !== undefined) Object.assign(save, { [name]: fromVmValue(value) })
  }
  return {
    stack: stack?.map(fromVmValue),
    nargs: argCount ?? -1,
    save: savedRegisters.length === 0 ? NOTHING_SAVED : save,
  }
}

const fromVmCont = (cont: VmCont): Continuation => {
  const parts = (kind: ContinuationKind, number: number, body?: VmCont, after?: VmCont, condition?: VmCont) =>
    new Continuation(
      kind,
      undefined,
      undefined,
      number,
      body && fromVmCont(body),
      after && fromVmCont(after),
      condition && fromVmCont(condition),
    )
  switch (cont.kind) {
    case 'ordinary': {
      const code = fromVmValue({ kind: 'slice', slice: cont.code }) as Slice
      return new Continuation('ordinary', code, fromControl(cont.control), 0)
    }
    case 'envelope':
      return new Continuation('envelope', undefined, fromControl(cont.control), 0, fromVmCont(cont.next))
    case 'quit':
      return parts('quit', cont.exitCode)
    case 'quitException':
      return parts('quitException', 0)
    case 'repeat':
      return parts('repeat', Number(cont.count), cont.body, cont.after)
    case 'until':
      return parts('until', 0, cont.body, cont.after)
    case 'again':
      return parts('again', 0, cont.body)
    case 'whileCondition':
    case 'whileBody':
      return parts(cont.kind, 0, cont.body, cont.after, cont.condition)
    case 'pushInt':
      return parts('pushInt', cont.value, cont.next)
  }
}
