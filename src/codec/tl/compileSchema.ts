import type { TlDescription, TlField, TlSchema } from './parseSchema.ts'
import type { TlReader } from './TlReader.ts'
import type { TlWriter } from './TlWriter.ts'

/** The compiled form of a row. `read` and `write` leave out the constructor id; `readObject` adds `kind`. */
export type CompiledRow<T = unknown> = {
  readonly id: number
  readonly read: (r: TlReader) => T
  readonly readObject: (r: TlReader) => T & { readonly kind: string }
  readonly write: (w: TlWriter, value: T) => void
}

export type CompiledSchema = {
  readonly rows: ReadonlyMap<string, CompiledRow>
  /** Readers of boxed values by their TL type: the constructor id, then its fields. */
  readonly boxed: ReadonlyMap<string, (r: TlReader) => unknown>
}

/**
 * Compiles the table to straight-line code, once per process: as fast as generated code, without a build step.
 */
export const compileSchema = (schema: TlSchema): CompiledSchema => {
  const lines = ["'use strict'"]
  const rows: string[] = []
  const boxed: string[] = []
  for (const row of schema.rows) {
    const name = identifier(row.name)
    lines.push(...emitReader(schema, row), ...emitWriter(row))
    rows.push(
      `['${row.name}', { id: ${row.id}, read: read_${name}, readObject: readObject_${name}, write: write_${name} }]`,
    )
    if (row.isFunction || schema.byType.get(row.resultType)?.at(-1) !== row) continue
    lines.push(...emitBoxed(schema, row.resultType))
    boxed.push(`['${row.resultType}', readBoxed_${identifier(row.resultType)}]`)
  }
  lines.push(`return { rows: new Map([${rows.join(',')}]), boxed: new Map([${boxed.join(',')}]) }`)
  const compile = new Function('joinFlags', 'flagBit', 'missingField', lines.join('\n'))
  return compile(joinFlags, flagBit, missingField) as CompiledSchema
}

const methods: Readonly<Record<string, string>> = {
  int: 'Int',
  '#': 'Uint',
  long: 'Long',
  shard: 'Ulong',
  double: 'Double',
  int128: 'Int128',
  int256: 'Int256',
  bytes: 'Bytes',
  string: 'String',
  Bool: 'Bool',
}

const minBytes: Readonly<Record<string, number>> = {
  int: 4,
  '#': 4,
  long: 8,
  shard: 8,
  double: 8,
  int128: 16,
  int256: 32,
  bytes: 4,
  string: 4,
  Bool: 4,
  true: 0,
}

// Rows differ in case alone where a constructor has the name of its type.
const identifier = (name: string): string => name.replaceAll('.', '_')

const hasKind = (schema: TlSchema, row: TlDescription): boolean =>
  !row.isFunction && (schema.byType.get(row.resultType)?.length ?? 0) > 1

const functionOf = ({ type, boxedType }: TlField): string =>
  boxedType === undefined ? `_${identifier(type)}` : `Boxed_${identifier(boxedType)}`

const emitRead = (field: TlField): string =>
  methods[field.type] === undefined ? `read${functionOf(field)}(r)` : `r.read${methods[field.type]}()`

const emitWrite = (field: TlField, value: string): string =>
  methods[field.type] === undefined
    ? `write${functionOf(field)}(w, ${value})`
    : `w.write${methods[field.type]}(${value})`

/** The fewest bytes that one value of a field takes. The count of a vector is checked against it. */
const minBytesOf = (schema: TlSchema, { type, boxedType }: TlField): number => {
  const known = minBytes[type]
  if (known !== undefined) return known
  const fieldsOf = (row: TlDescription): number =>
    row.fields.reduce((sum, f) => sum + (f.isOptional ? 0 : f.isVector ? 4 : minBytesOf(schema, f)), 0)
  if (boxedType === undefined) return fieldsOf(schema.byName.get(type) as TlDescription)
  return 4 + Math.min(...(schema.byType.get(boxedType) as readonly TlDescription[]).map(fieldsOf))
}

const emitReadStatement = (schema: TlSchema, field: TlField): string => {
  const { key, type, flag } = field
  if (type === 'true') return ''
  if (field.isVector) {
    const count = `const ${key}Count = r.readCount(${minBytesOf(schema, field)})`
    return `${count}; const ${key} = []; for (let i = 0; i < ${key}Count; i++) ${key}.push(${emitRead(field)})`
  }
  if (flag === undefined) return `const ${key} = ${emitRead(field)}`
  return `const ${key} = (${flag.key} & ${flag.mask}) !== 0 ? ${emitRead(field)} : undefined`
}

const emitReader = (schema: TlSchema, row: TlDescription): string[] => {
  const name = identifier(row.name)
  const kind = hasKind(schema, row) ? [`kind: '${row.name}'`] : []
  const required = row.fields.filter(({ isOptional }) => !isOptional)
  const optional = row.fields.filter(({ isOptional }) => isOptional)
  const isFlat = optional.length === 0 && required.every(({ isVector }) => !isVector)
  const body = isFlat
    ? [`return { ${[...kind, ...required.map((field) => `${field.key}: ${emitRead(field)}`)].join(', ')} }`]
    : [
        ...row.fields.map((field) => emitReadStatement(schema, field)),
        `const v = { ${[...kind, ...required.map(({ key }) => key)].join(', ')} }`,
        ...optional.map(({ key, type, flag }) =>
          type === 'true'
            ? `if ((${flag?.key} & ${flag?.mask}) !== 0) v.${key} = true`
            : `if (${key} !== undefined) v.${key} = ${key}`,
        ),
        'return v',
      ]
  const object = kind.length > 0 ? `read_${name}` : `(r) => ({ kind: '${row.name}', ...read_${name}(r) })`
  return [`const read_${name} = (r) => {`, ...body, '}', `const readObject_${name} = ${object}`]
}

const emitWriter = (row: TlDescription): string[] => [
  `const write_${identifier(row.name)} = (w, v) => {`,
  ...row.fields.flatMap((field) => emitWriteStatements(row, field)),
  '}',
]

const emitWriteStatements = (row: TlDescription, field: TlField): string[] => {
  const { key, name, type, flag } = field
  if (type === 'true') return []
  if (type === '#') return emitFlagsWord(row, field)
  if (field.isVector)
    return [`w.writeCount(v.${key}.length)`, `for (const item of v.${key}) ${emitWrite(field, 'item')}`]
  if (flag === undefined) return [emitWrite(field, `v.${key}`)]
  const value = `v.${key} ?? missingField(w, '${row.name} ${name}')`
  return [`if ((${flag.key} & ${flag.mask}) !== 0) ${emitWrite(field, value)}`]
}

const emitFlagsWord = (row: TlDescription, { key }: TlField): string[] => {
  const governed = row.fields.filter(({ flag }) => flag?.key === key)
  if (governed.length === 0) return [`w.writeUint(v.${key})`]
  const bits = governed.map(({ key: member, name, type, flag }) =>
    type === 'true'
      ? `present |= flagBit(w, v.${key}, ${flag?.mask}, v.${member}, '${row.name} ${name}')`
      : `if (v.${member} !== undefined) present |= ${flag?.mask}`,
  )
  return ['let present = 0', ...bits, `const ${key} = joinFlags(w, v.${key}, present)`, `w.writeUint(${key})`]
}

const emitBoxed = ({ byType }: TlSchema, type: string): string[] => {
  const rows = byType.get(type) as readonly TlDescription[]
  const name = identifier(type)
  const [first, ...others] = rows as readonly [TlDescription, ...TlDescription[]]
  if (others.length === 0) {
    const own = identifier(first.name)
    return [
      `const readBoxed_${name} = (r) => { r.expectId(${first.id}, '${first.name}'); return read_${own}(r) }`,
      `const writeBoxed_${name} = (w, v) => { w.writeUint(${first.id}); write_${own}(w, v) }`,
    ]
  }
  const reads = rows.map((row) => `case ${row.id}: return read_${identifier(row.name)}(r)`)
  const writes = rows.map(
    (row) => `case '${row.name}': w.writeUint(${row.id}); write_${identifier(row.name)}(w, v); break`,
  )
  return [
    `const readBoxed_${name} = (r) => { const id = r.readUint(); switch (id) {`,
    ...reads,
    `default: return r.failId(id, '${type}')`,
    '} }',
    `const writeBoxed_${name} = (w, v) => { switch (v.kind) {`,
    ...writes,
    `default: w.failKind('${type}', v)`,
    '} }',
  ]
}

/*
 * A flags word (`mode`, `flags`) and the fields it governs, on writing: the writer adds the bits of the fields that are present
 * to the word the caller gave, so callers need not repeat them. Contradictions throw: a bit without its field (also where two
 * fields share a bit and one is missing), and a flag given as `false` whose bit is set.
 */

/** The flags word to write: `given` with the bits of the present fields. */
const joinFlags = (w: TlWriter, given: number, present: number): number => {
  if (given >>> 0 !== given) w.fail(`Expected an integer from 0 to 2^32 - 1 for the flags word, got ${String(given)}`)
  return (given | present) >>> 0
}

/** The bit of a field that is nothing but its bit. Left out, it is whatever the flags word says. */
const flagBit = (w: TlWriter, given: number, bit: number, value: boolean | undefined, name: string): number => {
  if (value === true) return bit
  if (value === false && (given & bit) !== 0) w.fail(`Expected the bit of ${name} clear, as it is false, got it set`)
  return 0
}

/** For a field whose bit is set in the flags word but that was not given. */
const missingField = (w: TlWriter, name: string): never =>
  w.fail(`Expected ${name}, as its bit is set in the flags word, got nothing`)
