import { toBase64 } from '../../primitives/base64.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Reader } from '../../store/connect/Database.ts'
import { findCodes } from '../../store/reader/accounts.ts'
import { stateBocText } from './views/stateBocText.ts'

/** A few dozen codes are those of nearly all accounts, so each is written once. Known by their hashes they are never wrong. */
const written = new LruCache<string>(8 * 1024 * 1024)

/** Codes as bags of cells, by the hashes of the codes. Those that are not known have none. */
export const readCodeBocs = async (
  reader: Reader,
  codeHashes: readonly Uint8Array[],
): Promise<(codeHash: Uint8Array) => string | undefined> => {
  const texts = new Map<string, string>()
  const missing: Uint8Array[] = []
  for (const codeHash of codeHashes) {
    const key = toBase64(codeHash)
    const known = written.find(key)
    if (known === undefined) missing.push(codeHash)
    else texts.set(key, known)
  }
  for (const { codeHash, code } of await findCodes(reader, missing)) {
    const key = toBase64(codeHash)
    const text = stateBocText(code)
    written.set(key, text, text.length + 200)
    texts.set(key, text)
  }
  return (codeHash) => texts.get(toBase64(codeHash))
}
