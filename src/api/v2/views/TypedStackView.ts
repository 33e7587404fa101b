import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { sliceToCell } from '../../../codec/cell/CellWriter.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { StackTooDeepError } from '../errors.ts'
import { AnswerBudget } from '../stack/AnswerBudget.ts'
import { findListItems } from '../stack/listItems.ts'
import { BytesView, toCellBytes, typeName } from './scalars.ts'

const elements = Type.Array(Type.Ref('StackEntry'))

/** A value of the virtual machine as an object that names its type. */
export const TypedEntryView = Type.Cyclic(
  {
    StackEntry: Type.Union([
      Type.Object({
        '@type': typeName('tvm.stackEntryNumber'),
        number: Type.Object({ '@type': typeName('tvm.numberDecimal'), number: Type.String({ examples: ['12'] }) }),
      }),
      Type.Object({
        '@type': typeName('tvm.stackEntryCell'),
        cell: Type.Object({ '@type': typeName('tvm.cell'), bytes: BytesView }),
      }),
      Type.Object({
        '@type': typeName('tvm.stackEntrySlice'),
        slice: Type.Object({ '@type': typeName('tvm.slice'), bytes: BytesView }),
      }),
      Type.Object({
        '@type': typeName('tvm.stackEntryTuple'),
        tuple: Type.Object({ '@type': typeName('tvm.tuple'), elements }),
      }),
      Type.Object({
        '@type': typeName('tvm.stackEntryList'),
        list: Type.Object({ '@type': typeName('tvm.list'), elements }),
      }),
      Type.Object({ '@type': typeName('tvm.stackEntryUnsupported') }),
    ]),
  },
  'StackEntry',
)

export type TypedEntry = Static<typeof TypedEntryView>

export const toTypedStack = (stack: VmStack): TypedEntry[] => {
  const budget = new AnswerBudget()
  return stack.map((value) => toTypedEntry(value, 1, budget))
}

/** Values in values, from which on there is no answer. */
const maxLevels = 100

/** Entries of a tuple or a list, which is on this level itself. */
export const toElements = (values: readonly VmValue[], level: number, budget: AnswerBudget): TypedEntry[] => {
  if (level >= maxLevels) throw new StackTooDeepError()
  return values.map((value) => toTypedEntry(value, level + 1, budget))
}

const toTypedEntry = (value: VmValue, level: number, budget: AnswerBudget): TypedEntry => {
  budget.takeEntry()
  switch (value.kind) {
    case 'int': {
      const number = budget.take(value.value.toString())
      return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number } }
    }
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: toBytes(value.cell, budget) } }
    case 'slice': {
      const bytes = toBytes(sliceToCell(value.slice), budget)
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }
    }
    case 'null':
      return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } }
    case 'tuple': {
      const items = findListItems(value)
      const elements = toElements(items ?? value.items, level, budget)
      return items === undefined
        ? { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } }
        : { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } }
    }
    case 'nan':
      return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: 'NaN' } }
    case 'builder':
    case 'continuation':
      return { '@type': 'tvm.stackEntryUnsupported' }
  }
}

const toBytes = (cell: Cell, budget: AnswerBudget): string => budget.takeSerialized(cell, toCellBytes)
