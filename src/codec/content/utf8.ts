import { ContentError } from './ContentError.ts'

// A byte order mark is a character like any other: what was stored is given back.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** The text, or `undefined` where the bytes are not UTF-8. */
export const findUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The text; bytes that are not UTF-8 are an error. */
export const decodeUtf8 = (bytes: Uint8Array): string => {
  const text = findUtf8(bytes)
  if (text === undefined)
    throw new ContentError(`A text in UTF-8 was expected, but its ${bytes.length} bytes are not that.`)
  return text
}

/** The text with U+FFFD for whatever is not UTF-8. */
export const decodeUtf8Lossy = (bytes: Uint8Array): string => lossy.decode(bytes)

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)
