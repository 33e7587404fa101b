/** A decoded body or a part of it, in the form it has on the wire: integers are decimal text, bit strings upper-case hex. */
export type DecodedValue = string | boolean | DecodedObject | readonly DecodedValue[]

/** A constructor: its name as `@type` (absent where it has none), then its fields. */
export type DecodedObject = { readonly [field: string]: DecodedValue }

/** Stands in place of a body, or a part of one, that is left out because its body or its answer is over budget. */
export const TRUNCATED: DecodedObject = Object.freeze({ '@type': 'truncated', reason: 'too large' })

/** Characters of JSON that a value takes itself. Objects and lists are counted where they are made. */
export const scalarLength = (value: DecodedValue): number =>
  typeof value === 'string' ? value.length + 2 : typeof value === 'boolean' ? 5 : 0
