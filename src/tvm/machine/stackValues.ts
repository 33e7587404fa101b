import { Cell } from '../../codec/cell/Cell.ts'
import type { VmCont, VmControlData, VmSavedRegister, VmValue } from '../../codec/tlb/VmValue.ts'
import { VmStackCount, VmStackLimitError, type VmStackLimits } from '../../codec/tlb/VmValue.ts'
import { shrink } from './bits.ts'
import {
  Builder,
  Continuation,
  type ContinuationKind,
  type ControlData,
  isTuple,
  NOTHING_SAVED,
  type SavedRegisters,
  Slice,
  type Value,
} from './values.ts'

/** Between the values of bags of cells and those of the machine. */

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

/** The values that a run leaves, as they are handed out. Throws where there are more than `limits` allow. */
export const toVmStack = (stack: readonly Value[], limits: VmStackLimits): VmValue[] => {
  const count = new VmStackCount(limits)
  count.checkDepth(stack.length)
  // Tuples and continuations may share others: what they spell out is counted before any of it is.
  if (countValues(stack, new Map(), limits.maxNesting) > limits.maxValues) {
    throw new VmStackLimitError(`A stack spells out more than ${limits.maxValues} values, or nests them too deep.`)
  }
  return stack.map((value) => toVmValue(value, count, 0))
}

/** What values may share. */
type Shared = readonly Value[] | Continuation

/** How many values a list of values spells out; each shared tuple and continuation is looked at once. */
const countValues = (values: readonly Value[], known: Map<Shared, number>, levels: number): number => {
  let total = 0
  for (const value of values) {
    total++
    if (value === null || typeof value !== 'object') continue
    if (isTuple(value)) total += countOnce(value, known, levels, () => countValues(value, known, levels - 1))
    else if (value instanceof Continuation) total += countContinuation(value, known, levels)
  }
  return total
}

const countContinuation = (cont: Continuation, known: Map<Shared, number>, levels: number): number =>
  countOnce(cont, known, levels, () => {
    const { control, body, after, condition } = cont
    const held: Value[] = [...(control?.stack ?? [])]
    for (const name of REGISTERS) {
      const saved = name && control?.save[name]
      if (saved !== undefined) held.push(saved)
    }
    let total = 1 + countValues(held, known, levels - 1)
    for (const part of [body, after, condition]) {
      if (part !== undefined) total += countContinuation(part, known, levels - 1)
    }
    return total
  })

const countOnce = (shared: Shared, known: Map<Shared, number>, levels: number, count: () => number): number => {
  const before = known.get(shared)
  if (before !== undefined) return before
  const total = levels <= 0 ? Number.POSITIVE_INFINITY : count()
  known.set(shared, total)
  return total
}

const toVmValue = (value: Value, count: VmStackCount, level: number): VmValue => {
  count.add(level)
  if (value === null) return { kind: 'null' }
  if (typeof value === 'bigint') return { kind: 'int', value }
  if (typeof value === 'number') return Number.isNaN(value) ? { kind: 'nan' } : { kind: 'int', value: BigInt(value) }
  if (value instanceof Cell) return { kind: 'cell', cell: value }
  if (value instanceof Slice) return { kind: 'slice', slice: value }
  if (value instanceof Builder) return { kind: 'builder', cell: value.toCell() }
  if (!isTuple(value)) return { kind: 'continuation', continuation: toVmCont(value, count, level + 1) }
  return { kind: 'tuple', items: value.map((item) => toVmValue(item, count, level + 1)) }
}

const toControl = ({ stack, nargs, save }: ControlData, count: VmStackCount, level: number): VmControlData => {
  const savedRegisters: VmSavedRegister[] = []
  for (const [register, name] of REGISTERS.entries()) {
    const value = name === undefined ? undefined : save[name]
    if (value !== undefined) savedRegisters.push({ register, value: toVmValue(value, count, level) })
  }
  return {
    argCount: nargs < 0 ? undefined : nargs,
    stack: stack?.map((value) => toVmValue(value, count, level)),
    savedRegisters,
    codePage: 0,
  }
}

const toVmCont = (cont: Continuation, count: VmStackCount, level: number): VmCont => {
  count.add(level)
  const { kind, number } = cont
  const part = (which: 'body' | 'after' | 'condition'): VmCont => toVmCont(cont[which]!, count, level + 1)
  switch (kind) {
    case 'ordinary':
      return { kind, control: toControl(cont.control!, count, level + 1), code: cont.code! }
    case 'envelope':
      return {
        kind,
        control: { ...toControl(cont.control!, count, level + 1), codePage: undefined },
        next: part('body'),
      }
    case 'quit':
      return { kind, exitCode: number }
    case 'quitException':
      return { kind }
    case 'repeat':
      return { kind, count: BigInt(number), body: part('body'), after: part('after') }
    case 'until':
      return { kind, body: part('body'), after: part('after') }
    case 'again':
      return { kind, body: part('body') }
    case 'whileCondition':
    case 'whileBody':
      return { kind, condition: part('condition'), body: part('body'), after: part('after') }
    case 'pushInt':
      return { kind, value: number, next: part('body') }
  }
}
