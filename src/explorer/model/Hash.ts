import { findBase64, fromHex, toBase64, toHex } from './bytes.ts'

/** 32 bytes in the forms that people give, as hexadecimal digits; `undefined` for anything else. */
export const findHash = (text: string): string | undefined => {
  const hex = /^(?:0[xX])?([0-9a-fA-F]{64})$/.exec(text)?.[1]
  if (hex !== undefined) return hex.toLowerCase()
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = findBase64(text)
  return bytes?.length === 32 ? toHex(bytes) : undefined
}

/** As the interfaces take and give it. */
export const hashToBase64 = (hex: string): string => toBase64(fromHex(hex))

/** As addresses of pages have it. Whatever is no hash stays as it is. */
export const hashToHex = (hash: string): string => findHash(hash) ?? hash

/** Two ends, and what is between them left out. */
export const shorten = (text: string, head = 6, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
