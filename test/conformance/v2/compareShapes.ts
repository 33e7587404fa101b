import { isJsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'

/**
 * Every place at which two values are not of one shape: other members, other types, or text in another encoding. Lists are
 * compared by the shapes that occur in them, since how long they are and what they hold depends on the data.
 */
export const compareShapes = (expected: JsonValue, actual: JsonValue | undefined, path: string): string[] => {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    // Which form the body of a message has depends on the body.
    if (path.endsWith('.msg_data') && expected['@type'] !== actual['@type']) return []
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...names].flatMap((name) => {
      if (!Object.hasOwn(expected, name))
        return [`${path}.${name}: expected none, got ${encodingOf(actual[name] ?? null)}`]
      return compareShapes(expected[name]!, Object.hasOwn(actual, name) ? actual[name] : undefined, `${path}.${name}`)
    })
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return isPair(expected) && isPair(actual)
      ? compareShapes({ [expected[0]]: expected[1] }, { [actual[0]]: actual[1] }, path)
      : compareItems(expected, actual, path)
  }
  const isName = path.endsWith('.@type')
  const [wanted, found] = [expected, actual].map((value) => {
    if (value === undefined) return 'none'
    return isName ? `${value}` : encodingOf(value)
  }) as [string, string]
  return wanted === found || isFreeText(path, wanted, found) || isCompatible(wanted, found)
    ? []
    : [`${path}: expected ${wanted}, got ${found}`]
}

/** An entry of a stack: what it is, and the value. */
const isPair = (value: readonly JsonValue[]): value is readonly [string, JsonValue] =>
  value.length === 2 && /^(num|cell|list|tuple)$/.test(`${value[0]}`)

/** Each item of ours must have the shape of one of theirs. */
const compareItems = (expected: readonly JsonValue[], actual: readonly JsonValue[], path: string): string[] => {
  if (expected.length === 0) return []
  return actual.flatMap((item, at) => {
    const tries = expected.map((candidate) => compareShapes(candidate, item, `${path}[${at}]`))
    return tries.toSorted((a, b) => a.length - b.length)[0]!
  })
}

const texts = ['empty text', 'text', 'word', 'base64', 'decimal digits']

/** What a person wrote may look like any encoding. */
const isFreeText = (path: string, wanted: string, found: string): boolean =>
  /\.(message|text|data)$/.test(path) && texts.includes(wanted) && texts.includes(found)

/** Some texts are empty where there is nothing to tell, and an address may do without the letters that tell alphabets apart. */
const isCompatible = (wanted: string, found: string): boolean => {
  const pair = [wanted, found]
  const other = pair.find((encoding) => encoding !== 'empty text' && encoding !== 'friendly address') ?? wanted
  if (pair.includes('empty text') && /base64|address/.test(pair.join())) return true
  return pair.includes('friendly address') && other.startsWith('friendly address')
}

/** What a value is written as; for text the encoding, as far as it shows. */
export const encodingOf = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return typeof value === 'string' ? textEncodingOf(value) : typeof value
}

const encodings: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['empty text', /^$/],
  ['decimal digits', /^-?[0-9]{1,40}$/],
  ['hexadecimal number', /^-?0x[0-9a-f]+$/],
  ['hash as hexadecimal digits', /^[0-9a-fA-F]{64}$/],
  ['hash as base64', /^[A-Za-z0-9+/]{43}=$/],
  ['raw address, lower case', /^-?[0-9]+:[0-9a-f]{64}$/],
  ['raw address, upper case', /^-?[0-9]+:[0-9A-F]{64}$/],
  ['friendly address', /^[EUk0][QWf][A-Za-z0-9]{46}$/],
  ['friendly address for URLs', /^[EUk0][QWf][A-Za-z0-9_-]{46}$/],
  ['friendly address in plain base64', /^[EUk0][QWf][A-Za-z0-9+/]{46}$/],
  ['bag of cells as base64', /^te6cc[A-Za-z0-9+/]+=*$/],
  ['word', /^[a-z]+([._][A-Za-z]+)*$/],
  ['base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
]

const textEncodingOf = (text: string): string => encodings.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'
