import type { TlSection } from '../../src/codec/tl/constructors.ts'
import { crc32OfText } from '../../src/primitives/crc.ts'

const builtins = ['int', '#', 'long', 'double', 'int128', 'int256', 'bytes', 'string', 'Bool', 'true'] as const

export type TlBuiltin = (typeof builtins)[number]

export type TlType =
  | { readonly form: 'builtin'; readonly name: TlBuiltin }
  | { readonly form: 'bare'; readonly name: string }
  | { readonly form: 'boxed'; readonly name: string }
  | { readonly form: 'vector'; readonly item: TlType }

/** `flag` names the flags word, an earlier field, and the bit of it that says whether this field is there. */
export type TlField = {
  readonly name: string
  readonly type: TlType
  readonly flag?: { readonly field: string; readonly bit: number }
}

/** A line of the schema. `id` is the one the row states; `crcId` and `explicitId` are what the line itself says. */
export type TlCombinator = {
  readonly file: string
  readonly line: string
  readonly id: number
  readonly crcId: number
  readonly explicitId?: number
  readonly name: string
  readonly fields: readonly TlField[]
  readonly resultType: string
  readonly isFunction: boolean
}

/** The id a line has unless it states another: CRC-32 of its words without `#id`, parentheses, braces, semicolon. */
export const computeTlId = (line: string): number =>
  crc32OfText(
    line
      .replace(/^([\w.]+)#[0-9a-f]{1,8}/, '$1')
      .replace(/[(){};]/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )

const isCapitalized = (name: string): boolean => /^[A-Z]/.test(name.slice(name.lastIndexOf('.') + 1))

const parseType = (text: string): TlType => {
  const vector = /^\(?vector (.+?)\)?$/.exec(text)
  if (vector !== null) return { form: 'vector', item: parseType(vector[1] as string) }
  const builtin = builtins.find((name) => name === text)
  if (builtin !== undefined) return { form: 'builtin', name: builtin }
  if (!/^[\w.]+$/.test(text)) throw new Error(`Expected the name of a type, got "${text}".`)
  return { form: isCapitalized(text) ? 'boxed' : 'bare', name: text }
}

const parseField = (text: string): TlField => {
  const match = /^(\w+):(?:(\w+)\.(\d+)\?)?(.+)$/.exec(text)
  if (match === null) throw new Error(`Expected a field as name:type, got "${text}".`)
  const [, name, flagField, bit, type] = match
  const field = { name: name as string, type: parseType(type as string) }
  return flagField === undefined ? field : { ...field, flag: { field: flagField, bit: Number(bit) } }
}

const parseRow = (file: string, row: string, isFunction: boolean): TlCombinator => {
  const match = /^([0-9a-f]{8}) (([\w.]+?)(?:#([0-9a-f]{1,8}))?(?: ([^=]+))? = ([\w.]+);)$/.exec(row)
  if (match === null) throw new Error(`Expected a row as "id name fields = Type;", got "${row}".`)
  const [, id, line, name, explicitId, fields, resultType] = match
  return {
    file,
    line: line as string,
    id: Number.parseInt(id as string, 16),
    crcId: computeTlId(line as string),
    ...(explicitId !== undefined && { explicitId: Number.parseInt(explicitId, 16) }),
    name: name as string,
    fields: (fields?.match(/(\([^)]*\)|\S)+/g) ?? []).map(parseField),
    resultType: resultType as string,
    isFunction,
  }
}

/** All lines of the table, in its order. Throws at a line that is not TL; what lines say is up to `checkTlSchema`. */
export const parseTlSchema = (sections: readonly TlSection[]): TlCombinator[] =>
  sections.flatMap(({ file, schema }) => {
    const [types, functions] = schema.split('---functions---') as [string, string | undefined]
    const rowsOf = (part: string): string[] => part.split('\n').filter((row) => row.trim() !== '')
    return [
      ...rowsOf(types).map((row) => parseRow(file, row, false)),
      ...rowsOf(functions ?? '').map((row) => parseRow(file, row, true)),
    ]
  })
