import { randomUUID } from 'node:crypto'
import { utf8Slice } from '../../../primitives/bytes.ts'

/** JSON as text, or as UTF-8. */
export type Json = string | Uint8Array

/** Random, so that no caller can send it. */
const mark = randomUUID()
const markText = JSON.stringify(mark)

/** Raw JSON met while stringifying, in the order of its marks. */
let met: KnownJson[] = []

/**
 * Raw JSON in place of a value: it is inserted as it is. For objects whose keys are data, such as address books (building
 * such an object only to stringify it takes twenty times longer than its text), and for JSON that is written in another way.
 */
class KnownJson {
  /** One after another. */
  readonly parts: readonly Json[]

  constructor(parts: readonly Json[]) {
    this.parts = parts
  }

  toJSON(): string {
    met.push(this)
    return mark
  }
}

/** Raw JSON typed as its value, for a response; the value cannot be read. */
export const asJson = <T>(json: Json): T => new KnownJson([json]) as T

/** A list made of the JSON of its items. */
export const listAsJson = <T>(items: readonly Json[]): T[] => {
  const parts: Json[] = []
  for (const item of items) parts.push(parts.length === 0 ? '[' : ',', item)
  parts.push(parts.length === 0 ? '[]' : ']')
  return new KnownJson(parts) as unknown as T[]
}

/** An object made of the JSON of its members. Names must not need escapes. */
export const recordAsJson = <V>(
  members: Iterable<readonly [name: string, json: Json]>,
): Readonly<Record<string, V>> => {
  const parts: Json[] = []
  let text = ''
  let separator = '{'
  for (const [name, json] of members) {
    if (typeof json === 'string') text += `${separator}"${name}":${json}`
    else {
      parts.push(`${text}${separator}"${name}":`, json)
      text = ''
    }
    separator = ','
  }
  parts.push(separator === '{' ? '{}' : `${text}}`)
  return new KnownJson(parts) as unknown as Readonly<Record<string, V>>
}

/** The text of JSON. */
export const textOf = (json: Json): string => (typeof json === 'string' ? json : utf8Slice.call(json, 0, json.length))

/** Parts one after another, as UTF-8 if one of them is. */
export const joinJson = (parts: readonly Json[]): Json => {
  if (parts.length === 1) return parts[0]!
  let text: string | undefined = ''
  for (const part of parts) text = typeof part === 'string' && text !== undefined ? text + part : undefined
  if (text !== undefined) return text
  let length = 0
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at)
    else {
      bytes.set(part, at)
      at += part.length
    }
  }
  return bytes
}

/** The output of `write` (JSON.stringify) with the marks replaced by what they stand for. */
const insertKnown = (write: () => string): Json => {
  met = []
  const frame = write()
  const known = met
  met = []
  if (known.length === 0) return frame
  const parts: Json[] = []
  let from = 0
  for (const each of known) {
    const at = frame.indexOf(markText, from)
    parts.push(frame.slice(from, at))
    for (const part of each.parts) parts.push(part)
    from = at + markText.length
  }
  parts.push(frame.slice(from))
  return joinJson(parts)
}

/** A value with its raw JSON parsed, to check responses. */
export const readTexts = (value: unknown): unknown => {
  if (value instanceof KnownJson) return JSON.parse(textOf(joinJson(value.parts)))
  if (Array.isArray(value)) return value.map(readTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readTexts(member)]))
}

/** JSON of a value; bigints become numbers. Any nesting depth works. */
export const stringifyJson = (value: unknown): string => textOf(encodeJson(value))

/** Like {@link stringifyJson}; as UTF-8 if a part of the value is. */
export const encodeJson = (value: unknown): Json => {
  if (value instanceof KnownJson) return joinJson(value.parts)
  try {
    return insertKnown(() => JSON.stringify(value) ?? 'null')
  } catch (error) {
    // JSON.stringify is fast and works for nearly every response; it throws a TypeError for bigints and a RangeError for deep nesting.
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error
    return joinJson(write(value))
  }
}

/** Stack of JSON and of values yet to be written. */
type Waiting = { readonly json: Json } | { readonly value: unknown }

const write = (whole: unknown): Json[] => {
  const parts: Json[] = []
  const waiting: Waiting[] = [{ value: whole }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('json' in next) parts.push(next.json)
    else if (next.value instanceof KnownJson) for (const part of next.value.parts) parts.push(part)
    else if (typeof next.value === 'object' && next.value !== null) {
      const pieces = Array.isArray(next.value) ? piecesOfList(next.value) : piecesOfObject(next.value)
      for (let k = pieces.length - 1; k >= 0; k--) waiting.push(pieces[k]!)
    } else parts.push(typeof next.value === 'bigint' ? String(next.value) : (JSON.stringify(next.value) ?? 'null'))
  }
  return parts
}

const piecesOfList = (values: readonly unknown[]): Waiting[] => {
  const pieces: Waiting[] = [{ json: '[' }]
  values.forEach((value, k) => {
    if (k > 0) pieces.push({ json: ',' })
    pieces.push({ value })
  })
  pieces.push({ json: ']' })
  return pieces
}

const piecesOfObject = (value: object): Waiting[] => {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const pieces: Waiting[] = [{ json: '{' }]
  members.forEach(([name, member], k) => {
    pieces.push({ json: `${k > 0 ? ',' : ''}${JSON.stringify(name)}:` }, { value: member })
  })
  pieces.push({ json: '}' })
  return pieces
}
