/** A decoded body or a part of it, in the form it has on the wire: integers are decimal text, bit strings upper-case hex. */
export type DecodedValue = string | boolean | DecodedObject | readonly DecodedValue[]

/** A constructor: its name as `@type` (absent where it has none), then its fields. */
export type DecodedObject = { readonly [field: string]: DecodedValue }
