import { formatHex } from './emitConstructors.ts'
import type { TlCombinator } from './parseTlSchema.ts'
import { type TlModel, toPascalCase } from './TlModel.ts'
import type { TlSource } from './TlSource.ts'

const emitMap = (source: TlSource, name: string, about: string, combinators: readonly TlCombinator[]): void => {
  const rows = combinators.map((c) => `  '${c.name}': ${source.useType(toPascalCase(c.name), `./${c.file}.ts`)}`)
  source.add(`/** ${about} */`, `export type ${name} = {`, ...rows, '}')
}

const emitReadCase = (model: TlModel, source: TlSource, c: TlCombinator): string[] => {
  const label = `    case ${formatHex(c.id)}:`
  if (c.fields.length === 0) return [label, `      return { kind: '${c.name}' }`]
  const read = `${source.use(`read${toPascalCase(c.name)}`, `./${c.file}.ts`)}(r)`
  return [label, `      return ${model.hasKind(c) ? read : `{ kind: '${c.name}', ...${read} }`}`]
}

const emitWriteCase = (source: TlSource, c: TlCombinator): string[] => [
  `    case '${c.name}':`,
  `      w.writeUint(${formatHex(c.id)})`,
  ...(c.fields.length === 0
    ? []
    : [`      ${source.use(`write${toPascalCase(c.name)}`, `./${c.file}.ts`)}(w, object)`]),
  '      break',
]

/** The map from kinds to types, and the two switches by which any boxed object is read and written. */
export const emitObjects = (model: TlModel, source: TlSource): void => {
  const types = model.combinators.filter((c) => !c.isFunction)
  const functions = model.combinators.filter((c) => c.isFunction)
  source.useType('TlReader', '../TlReader.ts')
  source.useType('TlWriter', '../TlWriter.ts')
  source.add(
    '/** The constructor id of every kind. */',
    'export const tlIds = {',
    ...model.combinators.map((c) => `  '${c.name}': ${formatHex(c.id)},`),
    '} as const',
  )
  emitMap(source, 'TlTypes', 'Fields of every type, by constructor.', types)
  emitMap(source, 'TlArguments', 'Arguments of every function.', functions)
  source.add('export type TlKind = keyof TlTypes | keyof TlArguments')
  source.add(
    '/** A boxed object: its fields, and in `kind` the constructor or function they belong to. */',
    'export type TlObject<K extends TlKind = TlKind> = {',
    '  [N in K]: (TlTypes & TlArguments)[N] & { readonly kind: N }',
    '}[K]',
  )
  source.add(
    'export const readTlObject = (r: TlReader): TlObject => {',
    '  const id = r.readUint()',
    '  switch (id) {',
    ...types.flatMap((c) => emitReadCase(model, source, c)),
    '    default:',
    '      return readTlArguments(r, id)',
    '  }',
    '}',
  )
  source.add(
    '/** What follows the id of a function. */',
    'export const readTlArguments = (r: TlReader, id: number): TlObject<keyof TlArguments> => {',
    '  switch (id) {',
    ...functions.flatMap((c) => emitReadCase(model, source, c)),
    '    default:',
    "      return r.failId(id, 'a known constructor')",
    '  }',
    '}',
  )
  source.add(
    'export const writeTlObject = (w: TlWriter, object: TlObject): void => {',
    '  switch (object.kind) {',
    ...model.combinators.flatMap((c) => emitWriteCase(source, c)),
    '    default:',
    "      w.failKind('the table', object)",
    '  }',
    '}',
  )
}
