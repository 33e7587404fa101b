// The texts in the details of actions, by what they hold; the client parses members by these names.

/** A raw address, upper case. */
export type AddressText = string

/** A decimal number. */
export type DecimalText = string

/** Details of an action that has none. */
export type WithoutShape = { readonly error: string }
