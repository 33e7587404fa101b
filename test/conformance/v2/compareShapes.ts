import { isJsonObject, type JsonValue } from '../../../src/api/core/json/JsonValue.ts'

/**
 * Every place at which two values are not of one shape: other members, other types, or text in another encoding. Lists are
 * compared by the shapes that occur in them, since how long they are and what they hold depends on the data.
 */
export const compareShapes = (expected: JsonValue, actual: JsonValue | undefined, path: string): string[] => {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...names].flatMap((name) => {
      if (!Object.hasOwn(expected, name))
        return [`${path}.${name}: expected none, got ${encodingOf(actual[name] ?? null)}`]
      return compareShapes(expected[name]!, Object.hasOwn(actual, name) ? actual[name] : undefined, `${path}.${name}`)
    })
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return compareItems(expected, actual, path)
  const [wanted, found] = [encodingOf(expected), actual === undefined ? 'none' : encodingOf(actual)]
  return wanted === found || isEmptyForm(wanted, found) ? [] : [`${path}: expected ${wanted}, got ${found}`]
}

/** Each item of ours must have the shape of one of theirs. */
const compareItems = (expected: readonly JsonValue[], actual: readonly JsonValue[], path: string): string[] => {
  if (expected.length === 0) return []
  return actual.flatMap((item, at) => {
    const tries = expected.map((candidate) => compareShapes(candidate, item, `${path}[${at}]`))
    return tries.some((found) => found.length === 0) ? [] : tries.toSorted((a, b) => a.length - b.length)[0]!
  })
}

/** Some texts may be empty where there is nothing to tell. */
const isEmptyForm = (wanted: string, found: string): boolean =>
  (wanted === 'empty text' && /^(base64|friendly|text)/.test(found)) ||
  (found === 'empty text' && /^(base64|friendly|text)/.test(wanted))

/** What a value is written as; for text the encoding, as far as it shows. */
export const encodingOf = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return typeof value === 'string' ? textEncodingOf(value) : typeof value
}

const textEncodings: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['empty text', /^$/],
  ['decimal digits', /^-?[0-9]{1,40}$/],
  ['hexadecimal number', /^-?0x[0-9a-f]+$/],
  ['hash as hexadecimal digits', /^[0-9a-fA-F]{64}$/],
  ['hash as base64', /^[A-Za-z0-9+/]{43}=$/],
  ['raw address, lower case', /^-?[0-9]+:[0-9a-f]{64}$/],
  ['raw address, upper case', /^-?[0-9]+:[0-9A-F]{64}$/],
  ['friendly address', /^[EUk0][QWf][A-Za-z0-9_-]{46}$/],
  ['bag of cells as base64', /^te6cc[A-Za-z0-9+/]+=*$/],
  ['word', /^(?=[a-z])[A-Za-z]+([._][A-Za-z]+)*$/],
  ['base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
]

const textEncodingOf = (text: string): string => textEncodings.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'
