import { BitString, Cell } from '@ton/core'

/** Drops the number of the method that is called: every get-method gives back what it was given. */
export const echoCode = (): Cell => toCode('30')

/** Values that every client can read, deepest first; whatever get-method is called. */
export const valuesCode = (): Cell => toCode(DROP, INT_5, INT_MINUS_5, CELL, SLICE, NULL, TRIPLE, LIST, NESTED)

/** The same, and a tuple that holds a slice and a null, which some clients cannot read. */
export const allValuesCode = (): Cell =>
  toCode(DROP, INT_5, INT_MINUS_5, CELL, SLICE, NULL, TRIPLE, LIST, NESTED, SLICE, NULL, INT_1, TUPLE_3)

const DROP = '30'
const INT_1 = '71'
const INT_5 = '75'
const INT_MINUS_5 = '7b'
/** 7 as eight bits in a cell of its own. */
const CELL = '77c8cb07c9'
const SLICE = `${CELL}d0`
const NULL = '6d'
const TUPLE_2 = '6f02'
const TUPLE_3 = '6f03'
/** (1, 2, 3) */
const TRIPLE = `717273${TUPLE_3}`
/** Pairs down to a null: [7, 8]. */
const LIST = `7778${NULL}${TUPLE_2}${TUPLE_2}`
/** (-1, cell, (1, 2)) */
const NESTED = `7f${CELL}7172${TUPLE_2}${TUPLE_3}`

const toCode = (...instructions: readonly string[]): Cell => {
  const bytes = Buffer.from(instructions.join(''), 'hex')
  return new Cell({ bits: new BitString(bytes, 0, 8 * bytes.length) })
}
