import type { Cell } from '../../codec/cell/Cell.ts'
import { HashIndex } from '../../codec/cell/HashIndex.ts'
import type { StorageUsed } from '../../codec/tlb/Account.ts'

/** The cells of a tree and the bits in them, each cell counted once however often it is referred to. */
export const countStorage = (root: Cell): StorageUsed => {
  const seen = new HashIndex()
  seen.add(root)
  const open = [root]
  let bits = 0
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    bits += cell.bits
    for (let k = 0; k < cell.refCount; k++) {
      const child = cell.ref(k)
      if (seen.find(child) !== -1) continue
      seen.add(child)
      open.push(child)
    }
  }
  return { cells: BigInt(seen.size), bits: BigInt(bits) }
}
