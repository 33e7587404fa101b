import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import type { CellArena } from '../../../codec/cell/CellArena.ts'
import { openRaw } from '../../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../../codec/cell/CellWriter.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { Slices } from '../../../primitives/scheduling.ts'
import { asJson, stringifyJson } from '../../core/json/stringifyJson.ts'
import { StackTooDeepError } from '../errors.ts'
import { AnswerBudget, findListItems } from '../getMethods/AnswerBudget.ts'
import { BytesView, toCellBytes, typeName } from './scalars.ts'

/** A cell expanded into an object: its bits and references. */
export const CellObjectView = Type.Cyclic(
  {
    CellObject: Type.Object({
      data: Type.Object({
        b64: Type.String({ description: 'Bits in base64, padded with zeros.' }),
        len: Type.Integer({ description: 'Number of bits.' }),
      }),
      refs: Type.Array(Type.Ref('CellObject')),
      special: Type.Boolean({ description: 'Exotic cell.' }),
    }),
  },
  'CellObject',
)

export type CellObject = Static<typeof CellObjectView>

/** Expands a cell into objects, unless it exceeds the budget of the response. */
const toCellObject = (cell: Cell, budget: AnswerBudget): CellObject =>
  budget.takeCell(cell) > FEW_CELLS ? asJson(spellText(cell, new Map())) : spell(cell)

/** Beyond so many cells the JSON is written without objects, and that of a shared cell once. */
const FEW_CELLS = 100

type WrittenCells = Map<CellArena, Map<number, string>>

const spellText = (cell: Cell, written: WrittenCells): string => {
  const texts = written.get(cell.arena) ?? new Map<number, string>()
  written.set(cell.arena, texts)
  const known = texts.get(cell.index)
  if (known !== undefined) return known
  const b64 = toBase64(openRaw(cell).readBits(cell.bits))
  let refs = ''
  for (let at = 0; at < cell.refCount; at++) refs += `${at === 0 ? '' : ','}${spellText(cell.ref(at), written)}`
  const text = `{"data":{"b64":"${b64}","len":${cell.bits}},"refs":[${refs}],"special":${cell.isExotic}}`
  texts.set(cell.index, text)
  return text
}

const spell = (cell: Cell): CellObject => {
  const b64 = toBase64(openRaw(cell).readBits(cell.bits))
  const refs = Array.from({ length: cell.refCount }, (_, at) => spell(cell.ref(at)))
  return { data: { b64, len: cell.bits }, refs, special: cell.isExotic }
}

const elements = Type.Array(Type.Ref('StackEntry'))

/** A TVM value as a typed object. */
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

export const toTypedStack = async (stack: VmStack): Promise<TypedEntry[]> => {
  const budget = new AnswerBudget()
  if (isSmall(stack)) return stack.map((value) => toTypedEntry(value, 1, budget))
  return shareText(typedTexts, stack, () =>
    writeInSlices(stack, budget, (value, elements) => toTypedEntry(value, 1, budget, elements)),
  )
}

/** Large stacks that are being written: callers who ask the same at the same time share the run, and so its stack. */
type UnderWay<T> = Map<VmStack, Promise<T>>

const typedTexts: UnderWay<TypedEntry[]> = new Map()

const shareText = <T>(underWay: UnderWay<T>, stack: VmStack, write: () => Promise<T>): Promise<T> => {
  const known = underWay.get(stack)
  if (known !== undefined) return known
  const writing = write().finally(() => underWay.delete(stack))
  underWay.set(stack, writing)
  return writing
}

/** Beyond so many values of a stack, nested ones too, its JSON is written in slices. */
const FEW_VALUES = 500

const isSmall = (stack: VmStack): boolean => {
  let left = FEW_VALUES
  const count = (values: readonly VmValue[]): void => {
    left -= values.length
    for (const value of values) {
      if (left < 0) return
      if (value.kind === 'tuple') count(value.items)
      else if (value.kind !== 'int' && value.kind !== 'null') left -= 4
    }
  }
  count(stack)
  return left >= 0
}

/** The JSON of a large stack. Others are answered between its slices. */
const writeInSlices = async <T>(
  stack: VmStack,
  budget: AnswerBudget,
  toEntry: (value: VmValue, elements: TypedEntry[] | undefined) => T,
): Promise<T[]> => {
  const slices = new Slices()
  const texts: string[] = []
  for (const value of stack) {
    const values = value.kind === 'tuple' ? (findListItems(value) ?? value.items) : undefined
    const elements = values && (await writeElements(values, 1, budget, slices))
    texts.push(stringifyJson(toEntry(value, elements)))
    if (slices.isOver) await slices.next()
  }
  return asJson(`[${texts.join(',')}]`)
}

/** Of a tuple or list at this nesting level. */
const writeElements = async (
  values: readonly VmValue[],
  level: number,
  budget: AnswerBudget,
  slices: Slices,
): Promise<TypedEntry[]> => {
  if (level >= maxLevels) throw new StackTooDeepError()
  const texts: string[] = []
  for (const value of values) {
    const isLarge = value.kind === 'tuple' && !isSmall([value])
    const inner = isLarge
      ? await writeElements(findListItems(value) ?? value.items, level + 1, budget, slices)
      : undefined
    texts.push(stringifyJson(toTypedEntry(value, level + 1, budget, inner)))
    if (slices.isOver) await slices.next()
  }
  return asJson(`[${texts.join(',')}]`)
}

/** Maximum nesting of values. */
const maxLevels = 100

/** Entries of a tuple or list at this nesting level. */
const toElements = (values: readonly VmValue[], level: number, budget: AnswerBudget): TypedEntry[] => {
  if (level >= maxLevels) throw new StackTooDeepError()
  return values.map((value) => toTypedEntry(value, level + 1, budget))
}

/** `written` are its elements, if they are written already. */
const toTypedEntry = (
  value: VmValue,
  level: number,
  budget: AnswerBudget,
  written?: TypedEntry[] | undefined,
): TypedEntry => {
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
      const elements = written ?? toElements(items ?? value.items, level, budget)
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
    description: 'TVM value. A slice is shown as a cell, null as an empty list.',
  },
)

export const LegacyStackView = Type.Array(LegacyEntryView)

type LegacyEntry = Static<typeof LegacyEntryView>

/** A stack as [type, value] pairs. */
export const toLegacyStack = async (stack: VmStack): Promise<LegacyEntry[]> => {
  const budget = new AnswerBudget()
  if (isSmall(stack)) return stack.map((value) => toLegacyEntry(value, budget))
  return shareText(legacyTexts, stack, () =>
    writeInSlices(stack, budget, (value, elements) => toLegacyEntry(value, budget, elements)),
  )
}

const legacyTexts: UnderWay<LegacyEntry[]> = new Map()

const toLegacyEntry = (value: VmValue, budget: AnswerBudget, written?: TypedEntry[] | undefined): LegacyEntry => {
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
      const elements = written ?? toElements(items ?? value.items, 1, budget)
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
  // The budget is checked before the expansion.
  const object = toCellObject(cell, budget)
  return { bytes: budget.takeSerialized(cell, toCellBytes), object }
}
