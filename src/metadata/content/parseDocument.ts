import type { Json } from '../../store/schema/columns.ts'
import { MetadataUnusableError } from '../errors.ts'

export type JsonObject = { readonly [key: string]: Json }

const MAX_DEPTH = 32
const decoder = new TextDecoder('utf-8')

/**
 * Parses a JSON object so that the database can store it: without NUL and lone surrogates; numbers that would lose digits become texts.
 * Bytes that are not UTF-8 become U+FFFD.
 */
export const parseDocument = (bytes: Uint8Array): JsonObject => {
  const text = quoteLongNumbers(decoder.decode(bytes))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new MetadataUnusableError('The document is not JSON.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MetadataUnusableError('The document is not a JSON object.')
  }
  return clean(value as JsonObject) as JsonObject
}

/** Quotes numbers that would lose digits, and refuses deep nesting. */
const quoteLongNumbers = (text: string): string => {
  const parts: string[] = []
  let copied = 0
  let depth = 0
  for (let k = 0; k < text.length; k++) {
    const char = text.charCodeAt(k)
    if (char === QUOTE) {
      k = endOfString(text, k)
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH)
        throw new MetadataUnusableError(`The document is nested deeper than ${MAX_DEPTH} levels.`)
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth--
    } else if (isNumeric(char)) {
      const start = k
      while (k + 1 < text.length && isNumeric(text.charCodeAt(k + 1))) k++
      const digits = text.slice(start, k + 1)
      if (!losesDigits(digits)) continue
      parts.push(text.slice(copied, start), `"${digits}"`)
      copied = k + 1
    }
  }
  parts.push(text.slice(copied))
  return parts.join('')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Position of the closing quote, or of the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let k = start + 1; k < text.length; k++) {
    const char = text.charCodeAt(k)
    if (char === BACKSLASH) k++
    else if (char === QUOTE) return k
  }
  return text.length
}

/** Digits and + - . E e */
const isNumeric = (char: number): boolean =>
  (char >= 0x30 && char <= 0x39) || char === 0x2b || char === 0x2d || char === 0x2e || char === 0x45 || char === 0x65

const losesDigits = (text: string): boolean => {
  if (text.length < 5) return false
  const value = Number(text)
  if (/^-?(0|[1-9]\d*)$/.test(text)) return !Number.isSafeInteger(value)
  return !Number.isFinite(value) && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
}

const clean = (value: Json): Json => {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clean)
  // Not by assignment: a key may be __proto__.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), clean(each as Json)]))
}

const HALF_CHARACTER = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Removes NUL, which PostgreSQL refuses, and lone surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').replace(HALF_CHARACTER, '\ufffd')
