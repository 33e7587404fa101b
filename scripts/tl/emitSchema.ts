import type { TlCombinator, TlField, TlType } from './parseTlSchema.ts'
import { isShardField, type TlModel, toCamelCase } from './TlModel.ts'
import { fit, type TlSource } from './TlSource.ts'

const describeType = (model: TlModel, field: TlField, type: TlType): string => {
  switch (type.form) {
    case 'builtin':
      return type.name === 'long' && isShardField(field) ? 'shard' : type.name
    case 'bare':
      return type.name
    case 'boxed':
      return model.isUnion(type.name) ? 'union' : (model.getConstructorsOf(type.name)[0] as TlCombinator).name
    case 'vector':
      return describeType(model, field, type.item)
  }
}

const listMembers = (model: TlModel, field: TlField): string[] => [
  `name: '${field.name}'`,
  `key: '${toCamelCase(field.name)}'`,
  `type: '${describeType(model, field, field.type)}'`,
  ...(field.type.form === 'vector' ? ['isVector: true'] : []),
  ...(field.flag === undefined ? [] : ['isOptional: true']),
]

const emitBroken = (model: TlModel, field: TlField): string[] => {
  const members = listMembers(model, field)
  const broken = members.map((member) => `        ${member},`)
  return fit(`      { ${members.join(', ')} },`, '      {', ...broken, '      },')
}

// The formatter breaks a list of several objects over lines, and one of a single object only where it is too long.
const emitFields = (model: TlModel, { fields }: TlCombinator): string[] => {
  const broken = ['    fields: [', ...fields.flatMap((field) => emitBroken(model, field)), '    ],']
  const items = fields.map((field) => `{ ${listMembers(model, field).join(', ')} }`)
  return items.length > 1 ? broken : fit(`    fields: [${items.join('')}],`, ...broken)
}

const emitRow = (model: TlModel, c: TlCombinator): string[] => {
  const hasResult = c.isFunction && c.resultType !== 'Object'
  const result = hasResult ? [(model.getConstructorsOf(c.resultType)[0] as TlCombinator).name] : []
  return [`  '${c.name}': {`, ...result.map((name) => `    result: '${name}',`), ...emitFields(model, c), '  },']
}

/** The table of constructors as data, by the same names as everything else that is generated from it. */
export const emitSchema = (model: TlModel, source: TlSource): void => {
  const kind = source.useType('TlKind', './objects.ts')
  const description = source.useType('TlDescription', '../TlDescription.ts')
  source.add(
    `export const tlSchema: { readonly [K in ${kind}]: ${description} } = {`,
    ...model.combinators.flatMap((c) => emitRow(model, c)),
    '}',
  )
}
