import type { Cell } from '../../codec/cell/Cell.ts'
import { packCell } from '../../codec/stored/packCell.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import type { BatchView } from './BatchView.ts'
import type { CodeFacts } from './CodeFacts.ts'
import type { KnownContracts } from './KnownContracts.ts'
import type { NewestState } from './listStates.ts'

type CodeRow = InspectedContracts['codes'][number]

/** Hashes of codes that are stored for certain, because the store said so. */
export class StoredCodes {
  private readonly hashes = new LruCache<true>(8 << 20)

  /** Those that are not stored yet. */
  async filterNew(hashes: readonly string[], known: KnownContracts): Promise<readonly string[]> {
    const asked = hashes.filter((hash) => this.hashes.find(hash) === undefined)
    if (asked.length === 0) return []
    const stored = await known.findStoredCodes(asked.map((hash) => fromHex(hash)))
    for (const hash of stored) this.hashes.set(toHex(hash), true, 200)
    return asked.filter((hash) => this.hashes.find(hash) === undefined)
  }
}

/** Every code of the batch that is not stored yet, with its methods. */
export const listCodes = async (
  resolved: readonly ResolvedAccount[],
  newest: ReadonlyMap<string, NewestState>,
  facts: CodeFacts,
  stored: StoredCodes,
  known: KnownContracts,
  view: BatchView | undefined,
): Promise<CodeRow[]> => {
  const codes = new Map<string, Cell>()
  for (const account of resolved) {
    const { code } = account
    if (code === undefined || code === 'unknown') continue
    const state = newest.get(toHex(account.account))
    // States that passed within the batch are there for their codes alone.
    const codeHash = state?.resolved === account ? state.touched.codeHash : undefined
    codes.set(toHex(codeHash ?? code.hash()), code)
  }
  const rows: CodeRow[] = []
  for (const hash of await stored.filterNew([...codes.keys()], known)) {
    const code = codes.get(hash)!
    const codeHash = fromHex(hash)
    const methods = await facts.findMethods(code, codeHash, view)
    rows.push({ code_hash: codeHash, code: packCell(code), methods: methods && Array.from(methods, BigInt) })
  }
  return rows
}
