import { type BlockIdExt, isValidBlockIdExt, parseBlockId } from '../../primitives/BlockId.ts'
import { ParseError } from '../../primitives/errors.ts'

/** What a package holds of a block: itself, its proof with signatures (masterchain), its proof without (shards, key blocks). */
export type EntryKind = 'block' | 'proof' | 'prooflink'

export const entryKinds: readonly EntryKind[] = ['block', 'proof', 'prooflink']

export type EntryName = { readonly kind: EntryKind; readonly id: BlockIdExt }

/** No name that we read is longer: a kind, an underscore and a full block id. */
export const MAX_ENTRY_NAME = 200

const HASH_DIGITS = 64
const HASHES = 2 * HASH_DIGITS + 1

/**
 * Reads `<kind>_<block id>`, in either case, from a name of which each character is one byte. Packages hold other kinds too
 * (signatures, candidates): `undefined` for these.
 */
export const parseEntryName = (name: string): EntryName | undefined => {
  const split = name.indexOf('_')
  const kind = entryKinds.find((each) => each.length === split && name.slice(0, split).toLowerCase() === each)
  if (kind === undefined) return undefined
  // A scan is mostly this: parseBlockIdExt takes four times as long.
  const hashes = name.length - HASHES
  const rootHash = findHash(name.slice(hashes, hashes + HASH_DIGITS))
  const fileHash = findHash(name.slice(hashes + HASH_DIGITS + 1))
  const isWhole = name[hashes - 1] === ':' && name[hashes + HASH_DIGITS] === ':'
  if (rootHash === undefined || fileHash === undefined || !isWhole) return undefined
  try {
    const id = { ...parseBlockId(name.slice(split + 1, hashes - 1)), rootHash, fileHash }
    return isValidBlockIdExt(id) ? { kind, id } : undefined
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

/** At a digit that is none the decoder stops, so that the length tells; it errs only on characters of more than a byte. */
const findHash = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'hex')
  return bytes.length === 32 ? bytes : undefined
}
