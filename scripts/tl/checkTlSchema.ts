import type { TlCombinator, TlField, TlType } from './parseTlSchema.ts'
import { TlModel, toCamelCase, toPascalCase } from './TlModel.ts'

const formatId = (id: number): string => id.toString(16).padStart(8, '0')

const checkId = (c: TlCombinator): string[] => {
  if (c.explicitId === undefined) {
    return c.id === c.crcId
      ? []
      : [`${c.name}: its row says ${formatId(c.id)}, its line computes to ${formatId(c.crcId)}.`]
  }
  if (c.id !== c.explicitId)
    return [`${c.name}: its row says ${formatId(c.id)}, its line states ${formatId(c.explicitId)}.`]
  return c.id === c.crcId ? [`${c.name}: it states the id that its line computes to anyway.`] : []
}

const checkFlags = (c: TlCombinator, field: TlField, earlier: readonly TlField[]): string[] => {
  if (field.flag === undefined) {
    const isFlagOnly = field.type.form === 'builtin' && field.type.name === 'true'
    return isFlagOnly ? [`${c.name}: ${field.name} is nothing but a flag and names no bit.`] : []
  }
  const { field: word, bit } = field.flag
  const found = earlier.find((f) => f.name === word)
  const isWord = found?.type.form === 'builtin' && found.type.name === '#' && found.flag === undefined
  if (!isWord) return [`${c.name}: ${field.name} depends on ${word}, which is no # field before it.`]
  return bit > 31 ? [`${c.name}: ${field.name} depends on bit ${bit}; a flags word has 32.`] : []
}

const findDuplicates = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, i) => values.indexOf(value) !== i)),
]

const checkFields = (c: TlCombinator): string[] => {
  const names = c.fields.map((f) => toCamelCase(f.name))
  const words = new Set(c.fields.flatMap((f) => (f.flag === undefined ? [] : [f.flag.field])))
  return [
    ...findDuplicates(names).map((name) => `${c.name}: field ${name} occurs twice.`),
    ...names
      .filter((name) => ['kind', 'r', 'w', 'v', 'i'].includes(name))
      .map((name) => `${c.name}: a field cannot be ${name}.`),
    ...(words.size > 1 ? [`${c.name}: it has more than one flags word.`] : []),
    ...c.fields.flatMap((field, i) => checkFlags(c, field, c.fields.slice(0, i))),
  ]
}

/** Names have to be known before they are used: it bounds the depth of values and keeps the files free of cycles. */
const checkReferences = (combinators: readonly TlCombinator[]): string[] => {
  const known = new Set<string>()
  const lastOf = new Map(combinators.filter((c) => !c.isFunction).map((c) => [c.resultType, c.name]))
  const check = (c: TlCombinator, type: TlType): string[] => {
    if (type.form === 'vector') return check(c, type.item)
    if (type.form === 'builtin' || known.has(type.name)) return []
    return [`${c.name}: ${type.name} is not defined before it.`]
  }
  return combinators.flatMap((c) => {
    const problems = c.fields.flatMap((field) => check(c, field.type))
    if (c.isFunction) {
      return c.resultType === 'Object' ? problems : [...problems, ...check(c, { form: 'boxed', name: c.resultType })]
    }
    known.add(c.name)
    if (lastOf.get(c.resultType) === c.name) known.add(c.resultType)
    return problems
  })
}

const checkModel = (model: TlModel): string[] =>
  model.combinators.flatMap((c) => {
    const files = c.isFunction ? [c.file] : model.getConstructorsOf(c.resultType).map((other) => other.file)
    const emptyItem = c.fields.find((f) => f.type.form === 'vector' && model.getMinBytes(f.type.item) === 0)
    return [
      ...(new Set(files).size > 1
        ? [`${c.name}: the constructors of ${c.resultType} are spread over several files.`]
        : []),
      ...(emptyItem === undefined
        ? []
        : [`${c.name}: items of ${emptyItem.name} may take no bytes, so its count has no bound.`]),
      ...(c.isFunction && c.resultType !== 'Object' && model.isUnion(c.resultType)
        ? [`${c.name}: a function that answers with one of several constructors is not supported.`]
        : []),
    ]
  })

/** Everything that is wrong with the table, in sentences; empty when it is fit to generate from. */
export const checkTlSchema = (combinators: readonly TlCombinator[]): string[] => {
  const problems = [
    ...findDuplicates(combinators.map((c) => toPascalCase(c.name))).map((name) => `${name} is defined twice.`),
    ...findDuplicates(combinators.map((c) => formatId(c.id))).map((id) => `The id ${id} occurs twice.`),
    ...combinators.flatMap(checkId),
    ...combinators.flatMap(checkFields),
    ...checkReferences(combinators),
  ]
  return problems.length > 0 ? problems : checkModel(new TlModel(combinators))
}
