import { encodeUtf8, findUtf8 } from '../../codec/content/text.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { ParseError } from '../../primitives/errors.ts'

/** A name goes into one cell, and the byte in front of it that stands for the resolver itself. */
const MAX_ENCODED = 126

const separator = new Uint8Array(1)

/**
 * The bytes of a name (TEP-81): its labels from the last to the first, a zero byte behind each. Names are in lower case; a
 * dot at the end is taken along, and no label, or `.`, is the resolver's own name.
 */
export const encodeDomain = (name: string): Uint8Array => {
  const text = name.toLowerCase().replace(/\.$/, '')
  const labels = text === '' ? [] : text.split('.')
  if (labels.some((label) => !isLabel(label))) {
    throw new ParseError('a domain name of labels without blanks between single dots', name)
  }
  const encoded = concatBytes(labels.reverse().flatMap((label) => [encodeUtf8(label), separator]))
  if (encoded.length > MAX_ENCODED) throw new ParseError(`a domain name of at most ${MAX_ENCODED} bytes`, name)
  return encoded
}

/** The name behind such bytes, or a part of them from the front; `undefined` where they spell out none. */
export const decodeDomain = (encoded: Uint8Array): string | undefined => {
  const text = findUtf8(encoded)
  if (text === undefined) return undefined
  const labels = text.replace(/^\0/, '').replace(/\0$/, '').split('\0')
  return labels.reverse().join('.')
}

const isLabel = (label: string): boolean => label !== '' && !/[\p{Cc}\p{Cs}\p{Z}]/u.test(label)
