import { toBase64 } from '../../../primitives/base64.ts'

/** Each of the keys once, in the order in which they first come. */
export const distinctKeys = (keys: Iterable<Uint8Array>): Uint8Array[] => {
  const byText = new Map<string, Uint8Array>()
  for (const key of keys) byText.set(toBase64(key), key)
  return [...byText.values()]
}
