import type { TSchema } from 'typebox'
import type { JsonValue } from './json/JsonValue.ts'
import { keywordsOf } from './schemaKeywords.ts'

const integerPattern = /^(0|-?[1-9][0-9]*)$/
const numberPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/**
 * A wire value in the spelling of its schema. Queries have only text, and bodies may spell a number as text or, where text of
 * digits is wanted, as a number: these are the same value. What cannot be respelled stays as it is, for the schema to refuse.
 */
export const fitToSchema = (value: JsonValue, schema: TSchema): JsonValue => {
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
