import type { TSchema } from 'typebox'
import { keywordsOf, type SchemaKeywords } from './schemaKeywords.ts'

/** What a schema takes, in words that complete the sentence "Expected …". */
export const describeExpected = (schema: TSchema): string => {
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

/** A value that came, in words that complete "but got …"; never more than a glance at it. */
export const describeValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value).slice(0, shownLength)
  return JSON.stringify(value.length > shownLength ? `${value.slice(0, shownLength - 1)}…` : value)
}
