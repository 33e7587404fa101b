import { CodedError } from '../../primitives/errors.ts'
import { describeExpected, describeValue } from './describeExpected.ts'
import { InvalidParamsError, type ParamIssue } from './errors.ts'
import { fitToSchema } from './fitToSchema.ts'
import { findMember, type JsonObject, type JsonValue } from './json/JsonValue.ts'
import type { Param, ParamTable, ParsedOf } from './Param.ts'
import type { QueryValues } from './parseQuery.ts'
import { keywordsOf } from './schemaKeywords.ts'
import { validatorOf } from './validators.ts'

/** The arguments of a call as they came: text from a query, and the members of a JSON body or of `params`. */
export type RawArguments = { readonly query: QueryValues; readonly body: JsonObject | undefined }

/**
 * Validates and parses the arguments of a call, and names everything that is wrong with them. A member of the body beats the
 * query. Unknown names in a query are passed over, as links collect them on their way; in a body they are mistakes, except for
 * those in `ignored`. A JSON null is the same as nothing.
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

/** The arguments that an endpoint has parameters for, as they came: what its answer depends on. */
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
      message: `There is no parameter ${describeValue(name)}.`,
      value: body?.[name],
    }))

const findRaw = (name: string, { schema }: Param, { query, body }: RawArguments): JsonValue | undefined => {
  const member = body === undefined ? undefined : findMember(body, name)
  if (member !== undefined && member !== null) return member
  const values = query[name]
  return keywordsOf(schema).type === 'array' ? values : values?.at(-1)
}

const readParam = (name: string, param: Param, value: JsonValue, issues: ParamIssue[]): unknown => {
  const { schema } = param
  if (hasNul(value)) {
    const message = `Parameter ${name}: a text must not hold the character NUL (U+0000)`
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

/** No text of the chain or of the index can hold it, and the database takes none. */
const hasNul = (value: JsonValue): boolean => {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasNul)
  return Object.entries(value).some(([key, member]) => key.includes('\0') || hasNul(member as JsonValue))
}
