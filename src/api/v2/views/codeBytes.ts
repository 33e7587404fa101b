import type { Cell } from '../../../codec/cell/Cell.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import { toCellBytes } from './scalars.ts'

/** A few dozen codes are those of nearly all accounts, so each is written once. Known by their hashes they are never wrong. */
const written = new LruCache<string>(8 * 1024 * 1024)

/** The code of an account as a bag of cells in base64; nothing at all where it has none. */
export const toCodeBytes = (code: Cell | undefined): string => {
  if (code === undefined) return ''
  const key = toBase64(code.hash())
  const known = written.find(key)
  if (known !== undefined) return known
  const bytes = toCellBytes(code)
  written.set(key, bytes, bytes.length + 200)
  return bytes
}
