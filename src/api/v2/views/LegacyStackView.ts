import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { sliceToCell } from '../../../codec/cell/CellWriter.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { AnswerBudget } from '../stack/AnswerBudget.ts'
import { findListItems } from '../stack/listItems.ts'
import { CellObjectView, toCellObject } from './CellObjectView.ts'
import { BytesView, toCellBytes, typeName } from './scalars.ts'
import { TypedEntryView, toElements } from './TypedStackView.ts'

const LegacyEntryView = Type.Union(
  [
    Type.Tuple([
      Type.Literal('num'),
      Type.String({ description: 'Hexadecimal, or NaN.', examples: ['0x1f', '-0x1f'] }),
    ]),
    Type.Tuple([Type.Literal('cell'), Type.Object({ bytes: BytesView, object: CellObjectView })]),
    Type.Tuple([
      Type.Literal('tuple'),
      Type.Object({ '@type': typeName('tvm.tuple'), elements: Type.Array(TypedEntryView) }),
    ]),
    Type.Tuple([
      Type.Literal('list'),
      Type.Object({ '@type': typeName('tvm.list'), elements: Type.Array(TypedEntryView) }),
    ]),
    Type.Tuple([Type.Literal('unsupported'), Type.Literal('')]),
  ],
  {
    $id: 'LegacyStackEntry',
    description: 'A value of the virtual machine. A slice is told as a cell, and null as an empty list.',
  },
)

export const LegacyStackView = Type.Array(LegacyEntryView)

type LegacyEntry = Static<typeof LegacyEntryView>

/** A stack as pairs of a type and a value. */
export const toLegacyStack = (stack: VmStack): LegacyEntry[] => {
  const budget = new AnswerBudget()
  return stack.map((value) => toLegacyEntry(value, budget))
}

const toLegacyEntry = (value: VmValue, budget: AnswerBudget): LegacyEntry => {
  switch (value.kind) {
    case 'int':
      return ['num', toHexadecimal(value.value)]
    case 'cell':
      return ['cell', toCellValue(value.cell, budget)]
    case 'slice':
      return ['cell', toCellValue(sliceToCell(value.slice), budget)]
    case 'null':
      return ['list', { '@type': 'tvm.list', elements: [] }]
    case 'tuple': {
      const items = findListItems(value)
      const elements = toElements(items ?? value.items, 1, budget)
      return items === undefined
        ? ['tuple', { '@type': 'tvm.tuple', elements }]
        : ['list', { '@type': 'tvm.list', elements }]
    }
    case 'nan':
      return ['num', 'NaN']
    case 'builder':
    case 'continuation':
      return ['unsupported', '']
  }
}

const toHexadecimal = (value: bigint): string =>
  value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`

const toCellValue = (cell: Cell, budget: AnswerBudget) => {
  // This is what may be refused before any work is done.
  const object = toCellObject(cell, budget)
  return { bytes: budget.takeSerialized(cell, toCellBytes), object }
}
