import { fromBase64, toBase64Url } from '../../primitives/base64.ts'
import { ParseError } from '../../primitives/errors.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { Cursor, KeyValue } from '../../store/reader/page.ts'
import { RefusedRequestError } from './RefusedRequestError.ts'

// One letter says what a value is; what follows is its text.
const writeValue = (value: KeyValue): string => {
  if (typeof value === 'bigint') return `n${value}`
  if (typeof value === 'number') return `i${value}`
  return typeof value === 'string' ? `t${value}` : `b${toHex(value)}`
}

const readValue = (text: unknown): KeyValue => {
  if (typeof text !== 'string') throw new ParseError('a value', typeof text)
  const rest = text.slice(1)
  switch (text[0]) {
    case 'n':
      if (/^-?[0-9]{1,80}$/.test(rest)) return BigInt(rest)
      break
    case 'i':
      if (/^-?[0-9]{1,10}$/.test(rest)) return Number(rest)
      break
    case 't':
      return rest
    case 'b':
      return fromHex(rest)
  }
  throw new ParseError('a value', text)
}

/** A place in a list as callers get it, who need not know what is in it. */
export const formatCursor = ({ order, key }: Cursor): string =>
  toBase64Url(new TextEncoder().encode(JSON.stringify([order, ...key.map(writeValue)])))

/** Reads what {@link formatCursor} wrote; anything else is refused. */
export const parseCursor = (text: string): Cursor => {
  try {
    const values: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(text)))
    if (!Array.isArray(values) || typeof values[0] !== 'string') throw new ParseError('a list', text)
    return { order: values[0], key: values.slice(1).map(readValue) }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof ParseError)) throw error
    throw new RefusedRequestError('cursor is not one that this interface gave out', { cause: error })
  }
}
