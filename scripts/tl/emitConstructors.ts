import type { TlCombinator, TlField, TlType } from './parseTlSchema.ts'
import { isShardField, type TlModel, toCamelCase, toPascalCase } from './TlModel.ts'
import { fit, type TlSource } from './TlSource.ts'

type Scope = { readonly model: TlModel; readonly source: TlSource; readonly file: string }

const builtinMethods = {
  int: 'Int',
  '#': 'Uint',
  long: 'Long',
  double: 'Double',
  int128: 'Int128',
  int256: 'Int256',
  bytes: 'Bytes',
  string: 'String',
  Bool: 'Bool',
  true: undefined,
} as const

const builtinTypes = {
  int: 'number',
  '#': 'number',
  long: 'bigint',
  double: 'number',
  int128: 'Uint8Array',
  int256: 'Uint8Array',
  bytes: 'Uint8Array',
  string: 'string',
  Bool: 'boolean',
  true: 'boolean',
} as const

export const formatHex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`

const isFlagOnly = (field: TlField): boolean => field.type.form === 'builtin' && field.type.name === 'true'

const maskOf = (field: TlField): string => `0x${(2 ** (field.flag?.bit ?? 0)).toString(16)}`

/** The TypeScript name of a defined type, the file it is in, and the middle of its `readX` and `writeX`. */
const resolve = ({ model }: Scope, type: TlType & { form: 'bare' | 'boxed' }) => {
  if (type.form === 'bare') {
    const name = toPascalCase(type.name)
    return { type: name, verbObject: name, file: model.getConstructor(type.name).file }
  }
  const name = model.getBoxedTypeName(type.name)
  const file = (model.getConstructorsOf(type.name)[0] as TlCombinator).file
  return { type: name, verbObject: model.isUnion(type.name) ? name : `Boxed${name}`, file }
}

const useDefined = (scope: Scope, name: string, file: string, as: 'type' | 'value'): string => {
  if (file === scope.file) return name
  return as === 'type' ? scope.source.useType(name, `./${file}.ts`) : scope.source.use(name, `./${file}.ts`)
}

const emitType = (scope: Scope, type: TlType): string => {
  if (type.form === 'builtin') return builtinTypes[type.name]
  if (type.form === 'vector') return `readonly ${emitType(scope, type.item)}[]`
  const { type: name, file } = resolve(scope, type)
  return useDefined(scope, name, file, 'type')
}

const emitRead = (scope: Scope, field: TlField, type: TlType): string => {
  if (type.form === 'vector') throw new Error(`Expected no vector inside the vector ${field.name}.`)
  if (type.form === 'builtin') {
    const method = type.name === 'long' && isShardField(field) ? 'Ulong' : builtinMethods[type.name]
    return `r.read${method}()`
  }
  const { verbObject, file } = resolve(scope, type)
  return `${useDefined(scope, `read${verbObject}`, file, 'value')}(r)`
}

const emitWrite = (scope: Scope, field: TlField, type: TlType, value: string): string => {
  if (type.form === 'vector') throw new Error(`Expected no vector inside the vector ${field.name}.`)
  if (type.form === 'builtin') {
    const method = type.name === 'long' && isShardField(field) ? 'Ulong' : builtinMethods[type.name]
    return `w.write${method}(${value})`
  }
  const { verbObject, file } = resolve(scope, type)
  return `${useDefined(scope, `write${verbObject}`, file, 'value')}(w, ${value})`
}

const emitConstructorType = (scope: Scope, c: TlCombinator): void => {
  const kind = scope.model.hasKind(c) ? [`  readonly kind: '${c.name}'`] : []
  const fields = c.fields.map((field) => {
    const optional = field.flag !== undefined
    const type = emitType(scope, field.type)
    return `  readonly ${toCamelCase(field.name)}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''}`
  })
  const members = [...kind, ...fields]
  const name = toPascalCase(c.name)
  if (members.length === 0) scope.source.add(`/** ${c.line} */`, `export type ${name} = Record<never, never>`)
  else scope.source.add(`/** ${c.line} */`, `export type ${name} = {`, ...members, '}')
}

const emitReadStatements = (scope: Scope, field: TlField): string[] => {
  const name = toCamelCase(field.name)
  if (isFlagOnly(field)) return []
  if (field.type.form === 'vector') {
    if (field.flag !== undefined) throw new Error(`Expected the vector ${field.name} to be always there.`)
    const item = field.type.item
    const loop = `for (let i = 0; i < ${name}Count; i++)`
    const push = `${name}.push(${emitRead(scope, field, item)})`
    return [
      `  const ${name}Count = r.readCount(${scope.model.getMinBytes(item)})`,
      `  const ${name}: ${emitType(scope, item)}[] = []`,
      ...fit(`  ${loop} ${push}`, `  ${loop}`, `    ${push}`),
    ]
  }
  const read = emitRead(scope, field, field.type)
  if (field.flag === undefined) return [`  const ${name} = ${read}`]
  return [`  const ${name} = (${toCamelCase(field.flag.field)} & ${maskOf(field)}) !== 0 ? ${read} : undefined`]
}

const emitLiteral = (before: string, members: readonly string[]): string[] =>
  fit(`${before} { ${members.join(', ')} }`, `${before} {`, ...members.map((member) => `    ${member},`), '  }')

const emitReader = (scope: Scope, c: TlCombinator): void => {
  const name = toPascalCase(c.name)
  const kind = scope.model.hasKind(c) ? [`kind: '${c.name}'`] : []
  const head = `export const read${name} = (r: TlReader): ${name} => `
  const optional = c.fields.filter((field) => field.flag !== undefined)
  if (optional.length === 0 && c.fields.every((field) => field.type.form !== 'vector')) {
    const members = c.fields.map((field) => `${toCamelCase(field.name)}: ${emitRead(scope, field, field.type)}`)
    scope.source.add(`${head}({`, ...[...kind, ...members].map((member) => `  ${member},`), '})')
    return
  }
  const required = c.fields.filter((field) => field.flag === undefined).map((field) => toCamelCase(field.name))
  const members = [...kind, ...required]
  const statements = c.fields.flatMap((field) => emitReadStatements(scope, field))
  if (optional.length === 0) {
    scope.source.add(`${head}{`, ...statements, ...emitLiteral('  return', members), '}')
    return
  }
  const mutable = scope.source.useType('Mutable', '../Mutable.ts')
  const assignments = optional.map((field) => {
    const member = toCamelCase(field.name)
    if (!isFlagOnly(field)) return `  if (${member} !== undefined) v.${member} = ${member}`
    return `  if ((${toCamelCase(field.flag?.field ?? '')} & ${maskOf(field)}) !== 0) v.${member} = true`
  })
  scope.source.add(
    `${head}{`,
    ...statements,
    ...emitLiteral(`  const v: ${mutable}<${name}> =`, members),
    ...assignments,
    '  return v',
    '}',
  )
}

const emitFlagsWord = (scope: Scope, c: TlCombinator, word: TlField): string[] => {
  const { source } = scope
  const name = toCamelCase(word.name)
  const governed = c.fields.filter((field) => field.flag?.field === word.name)
  if (governed.length === 0) return [`  w.writeUint(v.${name})`]
  const bits = governed.map((field) => {
    const member = toCamelCase(field.name)
    if (!isFlagOnly(field)) return `  if (v.${member} !== undefined) present |= ${maskOf(field)}`
    const flagBit = source.use('flagBit', '../flags.ts')
    return `  present |= ${flagBit}(w, v.${name}, ${maskOf(field)}, v.${member}, '${c.name} ${field.name}')`
  })
  const join = source.use('joinFlags', '../flags.ts')
  return ['  let present = 0', ...bits, `  const ${name} = ${join}(w, v.${name}, present)`, `  w.writeUint(${name})`]
}

const emitWriteStatements = (scope: Scope, c: TlCombinator, field: TlField): string[] => {
  const value = `v.${toCamelCase(field.name)}`
  if (isFlagOnly(field)) return []
  if (field.type.form === 'builtin' && field.type.name === '#') return emitFlagsWord(scope, c, field)
  if (field.type.form === 'vector') {
    return [
      `  w.writeCount(${value}.length)`,
      `  for (const item of ${value}) ${emitWrite(scope, field, field.type.item, 'item')}`,
    ]
  }
  if (field.flag === undefined) return [`  ${emitWrite(scope, field, field.type, value)}`]
  const missing = `${scope.source.use('missingField', '../flags.ts')}(w, '${c.name} ${field.name}')`
  const write = emitWrite(scope, field, field.type, `${value} ?? ${missing}`)
  const condition = `if ((${toCamelCase(field.flag.field)} & ${maskOf(field)}) !== 0)`
  return fit(`  ${condition} ${write}`, `  ${condition}`, `    ${write}`)
}

const emitWriter = (scope: Scope, c: TlCombinator): void => {
  const name = toPascalCase(c.name)
  const statements = c.fields.flatMap((field) => emitWriteStatements(scope, c, field))
  const verb = `export const write${name} =`
  const head = fit(
    `${verb} (w: TlWriter, v: ${name}): void => {`,
    `${verb} (`,
    '  w: TlWriter,',
    `  v: ${name},`,
    '): void => {',
  )
  scope.source.add(...head, ...statements, '}')
}

const emitUnion = (scope: Scope, typeName: string): void => {
  const { model, source } = scope
  const name = model.getBoxedTypeName(typeName)
  const members = model.getConstructorsOf(typeName)
  const names = members.map((c) => toPascalCase(c.name))
  source.add(
    `/** ${typeName}, boxed. */`,
    ...fit(
      `export type ${name} = ${names.join(' | ')}`,
      `export type ${name} =`,
      ...names.map((member) => `  | ${member}`),
    ),
  )
  const reads = members.flatMap((c) => [
    `    case ${formatHex(c.id)}:`,
    c.fields.length === 0 ? `      return { kind: '${c.name}' }` : `      return read${toPascalCase(c.name)}(r)`,
  ])
  source.add(
    `export const read${name} = (r: TlReader): ${name} => {`,
    '  const id = r.readUint()',
    '  switch (id) {',
    ...reads,
    '    default:',
    `      return r.failId(id, '${typeName}')`,
    '  }',
    '}',
  )
  const writes = members.flatMap((c) => [
    `    case '${c.name}':`,
    `      w.writeUint(${formatHex(c.id)})`,
    ...(c.fields.length === 0 ? [] : [`      write${toPascalCase(c.name)}(w, v)`]),
    '      break',
  ])
  source.add(
    `export const write${name} = (w: TlWriter, v: ${name}): void => {`,
    '  switch (v.kind) {',
    ...writes,
    '    default:',
    `      w.failKind('${typeName}', v)`,
    '  }',
    '}',
  )
}

const emitBoxed = ({ source }: Scope, c: TlCombinator): void => {
  const name = toPascalCase(c.name)
  source.add(
    `export const readBoxed${name} = (r: TlReader): ${name} => {`,
    `  r.expectId(${formatHex(c.id)}, '${c.name}')`,
    `  return read${name}(r)`,
    '}',
  )
  source.add(
    `export const writeBoxed${name} = (w: TlWriter, v: ${name}): void => {`,
    `  w.writeUint(${formatHex(c.id)})`,
    `  write${name}(w, v)`,
    '}',
  )
}

const isUsedBoxed = (model: TlModel, typeName: string): boolean =>
  model.combinators.some((c) =>
    c.fields.some(({ type }) => {
      const used = type.form === 'vector' ? type.item : type
      return used.form === 'boxed' && used.name === typeName
    }),
  )

/** Types, readers and writers of all constructors and functions of one section. */
export const emitConstructors = (model: TlModel, source: TlSource, file: string): void => {
  const scope: Scope = { model, source, file }
  const own = model.combinators.filter((c) => c.file === file)
  if (own.some((c) => c.fields.length > 0)) {
    source.useType('TlReader', '../TlReader.ts')
    source.useType('TlWriter', '../TlWriter.ts')
  }
  for (const c of own) {
    emitConstructorType(scope, c)
    if (c.fields.length > 0) {
      emitReader(scope, c)
      emitWriter(scope, c)
    }
    if (c.isFunction || model.getConstructorsOf(c.resultType).at(-1) !== c) continue
    if (model.isUnion(c.resultType)) emitUnion(scope, c.resultType)
    else if (isUsedBoxed(model, c.resultType)) emitBoxed(scope, c)
  }
}
