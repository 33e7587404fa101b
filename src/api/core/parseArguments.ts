import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { CodedError } from '../../primitives/errors.ts'
import { InvalidJsonError, InvalidParamsError, InvalidRequestError, type ParamIssue } from './errors.ts'
import {
  findMember,
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  parseJson,
} from './json/parseJson.ts'
import { keywordsOf, type Param, type ParamTable, type ParsedOf, type SchemaKeywords } from './params.ts'

/** What a schema accepts, to complete the sentence "Expected …". */
const describeExpected = (schema: TSchema): string => {
  const keywords = keywordsOf(schema)
  if (keywords.const !== undefined) return JSON.stringify(keywords.const)
  if (keywords.anyOf !== undefined) return keywords.anyOf.map(describeExpected).join(' or ')
  const { minimum, maximum, minItems, maxItems } = keywords
  switch (keywords.type) {
    case 'integer':
      return `an integer${describeBounds(minimum, maximum)}`
    case 'number':
      return `a number${describeBounds(minimum, maximum)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return describeText(keywords)
    case 'array':
      return `a list${describeBounds(minItems, maxItems, ' items')}`
    case 'object':
      return 'an object'
    default:
      return 'another value'
  }
}

const describeText = ({ minLength, maxLength, pattern }: SchemaKeywords): string =>
  `text${describeBounds(minLength, maxLength, ' characters')}${pattern === undefined ? '' : ` of the form ${pattern}`}`

const describeBounds = (least: number | undefined, most: number | undefined, unit = ''): string => {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most}${unit}`
  if (least !== undefined) return ` of at least ${least}${unit}`
  return most === undefined ? '' : ` of at most ${most}${unit}`
}

const shownLength = 40

/** A received value, shortened, to complete "but got …". */
const describeValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value).slice(0, shownLength)
  return JSON.stringify(value.length > shownLength ? `${value.slice(0, shownLength - 1)}…` : value)
}

const integerPattern = /^(0|-?[1-9][0-9]*)$/
const numberPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/**
 * A wire value in the spelling of its schema. Queries have only text, and bodies may spell a number as text or, where text of
 * digits is wanted, as a number: these are the same value. What cannot be respelled stays as it is, for the schema to refuse.
 */
const fitToSchema = (value: JsonValue, schema: TSchema): JsonValue => {
  const { type, items } = keywordsOf(schema)
  switch (type) {
    case 'integer':
      return fitInteger(value)
    case 'number':
      return typeof value === 'string' && numberPattern.test(value) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'string':
      return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : value
    case 'array':
      return Array.isArray(value) && items !== undefined ? value.map((item) => fitToSchema(item, items)) : value
    default:
      return value
  }
}

const fitInteger = (value: JsonValue): JsonValue => {
  if (typeof value === 'string' && integerPattern.test(value)) {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  // A number such as 1e300 is an integer by the schema, though not one whose digits were kept. No schema takes it as a bigint.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value as number) : value
}

/** All values of every name in a query string, in order. */
export type QueryValues = { readonly [name: string]: readonly string[] }

/** Parses a query string. `name[]=…`, which some clients send for lists, means `name=…`. */
export const parseQuery = (text: string): QueryValues => {
  const values: Record<string, string[]> = Object.create(null)
  for (const [key, value] of isPlain.test(text) ? splitPairs(text) : new URLSearchParams(text)) {
    const name = key.endsWith('[]') ? key.slice(0, -2) : key
    const known = values[name]
    if (known === undefined) values[name] = [value]
    else known.push(value)
  }
  return values
}

/** Most queries contain only these characters and need no percent-decoding, which is ten times slower than splitting. */
const isPlain = /^[\w.~:,\-&=[\]]*$/

const splitPairs = (text: string): [key: string, value: string][] =>
  text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    })

const compiled = new WeakMap<TSchema, Validator>()

/** The compiled validator of a schema. Compiled on first use, since that takes milliseconds. */
export const validatorOf = (schema: TSchema): Validator => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validator: Validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** The raw arguments of a call: the query, and the members of a JSON body or of `params`. */
export type RawArguments = { readonly query: QueryValues; readonly body: JsonObject | undefined }

/**
 * Validates and parses the arguments of a call, and reports every issue. A member of the body overrides the query. Unknown names
 * are ignored in a query, since links pick up extra parameters; in a body they are errors, except for those in `ignored`. A JSON null
 * means absent.
 */
export const parseArguments = <T extends ParamTable>(
  params: T,
  raw: RawArguments,
  ignored: readonly string[] | 'all' = [],
): ParsedOf<T> => {
  const issues = findUnknown(params, raw.body, ignored)
  const parsed: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(params)) {
    const value = findRaw(name, param, raw) ?? (param.fallback as JsonValue | undefined)
    if (value !== undefined) {
      parsed[name] = readParam(name, param, value, issues)
    } else if (param.presence === 'required') {
      const message = `The parameter ${name} is missing.`
      issues.push({ name, keyword: 'missing', message, value, error: param.missing })
    }
  }
  const [first, ...others] = issues
  if (first !== undefined) throw new InvalidParamsError([first, ...others])
  return parsed as ParsedOf<T>
}

/** The raw arguments that an endpoint has parameters for: its response depends on them alone. */
export const pickArguments = (params: ParamTable, raw: RawArguments): JsonObject => {
  const picked: Record<string, JsonValue> = {}
  for (const [name, param] of Object.entries(params)) {
    const value = findRaw(name, param, raw)
    if (value !== undefined) picked[name] = value
  }
  return picked
}

const findUnknown = (
  params: ParamTable,
  body: JsonObject | undefined,
  ignored: readonly string[] | 'all',
): ParamIssue[] =>
  Object.keys(ignored === 'all' ? {} : (body ?? {}))
    .filter((name) => !Object.hasOwn(params, name) && !ignored.includes(name))
    .map((name) => ({
      name,
      keyword: 'unknown',
      message: `Unknown parameter ${describeValue(name)}.`,
      value: body?.[name],
    }))

/** A raw argument: from the body, or else from the query. */
export const findRaw = (name: string, { schema }: Param, { query, body }: RawArguments): JsonValue | undefined => {
  const member = body === undefined ? undefined : findMember(body, name)
  if (member !== undefined && member !== null) return member
  const values = query[name]
  return keywordsOf(schema).type === 'array' ? values : values?.at(-1)
}

const readParam = (name: string, param: Param, value: JsonValue, issues: ParamIssue[]): unknown => {
  const { schema } = param
  if (hasNul(value)) {
    const message = `Parameter ${name}: text must not contain NUL (U+0000)`
    issues.push({ name, keyword: 'nul', message, value, schema })
    return undefined
  }
  const fitted = fitToSchema(value, schema)
  const validator = validatorOf(schema)
  if (!validator.Check(fitted)) {
    const [first] = validator.Errors(fitted)
    const place = first === undefined || first.instancePath === '' ? '' : ` (${first.message} at ${first.instancePath})`
    const message = `Parameter ${name}: Expected ${describeExpected(schema)}, but got ${describeValue(value)}${place}`
    issues.push({ name, keyword: first?.keyword ?? 'type', message, value, schema })
    return undefined
  }
  try {
    return param.parse(fitted)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    issues.push({ name, keyword: 'parse', message: `Parameter ${name}: ${error.message}`, value, error })
    return undefined
  }
}

/** PostgreSQL text cannot contain NUL, so no parameter may. */
const hasNul = (value: JsonValue): boolean => {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasNul)
  return Object.entries(value).some(([key, member]) => key.includes('\0') || hasNul(member as JsonValue))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses the JSON of a body. */
export const parseBody = (body: Uint8Array | undefined, limits: JsonLimits): JsonValue => {
  if (body === undefined || body.length === 0) throw new InvalidJsonError('The body is empty; JSON was expected.')
  let text: string
  try {
    text = decoder.decode(body)
  } catch {
    throw new InvalidJsonError('The body is not valid UTF-8.')
  }
  return parseJson(text, limits)
}

/** Parses the arguments in a body. */
export const parseBodyArguments = (
  body: Uint8Array | undefined,
  mayBeEmpty: boolean,
  limits: JsonLimits,
): JsonObject => {
  if (mayBeEmpty && (body === undefined || body.length === 0)) return {}
  const value = parseBody(body, limits)
  if (!isJsonObject(value)) throw new InvalidRequestError('The body must be a JSON object with the parameters.')
  return value
}
