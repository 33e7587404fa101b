import { type BlockIdExt, isValidBlockIdExt, parseBlockIdExt } from '../../primitives/BlockId.ts'
import { ParseError } from '../../primitives/ParseError.ts'

/** What a package holds of a block: itself, its proof with signatures (masterchain), its proof without (shards, key blocks). */
export type EntryKind = 'block' | 'proof' | 'prooflink'

export const entryKinds: readonly EntryKind[] = ['block', 'proof', 'prooflink']

export type EntryName = { readonly kind: EntryKind; readonly id: BlockIdExt }

/** No name that we read is longer: a kind, an underscore and a full block id. */
export const MAX_ENTRY_NAME = 200

/** Reads `<kind>_<block id>`, in either case. Packages hold other kinds too (signatures, candidates): `undefined` for these. */
export const parseEntryName = (name: string): EntryName | undefined => {
  const split = name.indexOf('_')
  const kind = entryKinds.find((each) => each.length === split && name.slice(0, split).toLowerCase() === each)
  if (kind === undefined) return undefined
  try {
    const id = parseBlockIdExt(name.slice(split + 1))
    return isValidBlockIdExt(id) ? { kind, id } : undefined
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}
