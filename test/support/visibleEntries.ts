import { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { type DictRoot, readLabel, setKeyBit } from '../../src/codec/cell/dictNodes.ts'
import { PRUNED_BRANCH } from '../../src/codec/cell/exotic.ts'
import type { ShardIdent } from '../../src/codec/tlb/BlockInfo.ts'
import type { ShardHashes } from '../../src/codec/tlb/ShardHashes.ts'

/** The keys of a dictionary whose leaves a proof holds: for proofs that came without the question they answer. */
export const visibleKeys = (root: DictRoot | undefined, keyBits: number): Uint8Array[] => {
  const keys: Uint8Array[] = []
  const key = new Uint8Array((keyBits + 7) >> 3)
  const visit = (cell: Cell, at: number): void => {
    if (cell.exoticType === PRUNED_BRANCH) return
    const r = openCell(cell)
    const end = at + readLabel(r, keyBits - at, key, at)
    if (end === keyBits) {
      keys.push(key.slice())
      return
    }
    for (const bit of [0, 1]) {
      setKeyBit(key, end, bit)
      visit(r.readRefCell(), end + 1)
    }
  }
  if (root instanceof Cell) visit(root, 0)
  return keys
}

/** The shards that a proof holds. */
export const visibleShards = (hashes: ShardHashes): ShardIdent[] =>
  visibleKeys(hashes.root, 32).flatMap((key) => {
    const workchain = new DataView(key.buffer).getInt32(0)
    const shards: ShardIdent[] = []
    const visit = (cell: Cell, shard: bigint, low: bigint): void => {
      if (cell.exoticType === PRUNED_BRANCH) return
      const r = openCell(cell)
      if (!r.readBit()) {
        shards.push({ workchain, shard })
        return
      }
      visit(r.readRefCell(), shard - low / 2n, low / 2n)
      visit(r.readRefCell(), shard + low / 2n, low / 2n)
    }
    const tree = hashes.find(workchain)
    if (tree !== undefined) visit(tree, 1n << 63n, 1n << 63n)
    return shards
  })
