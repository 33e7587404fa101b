import { lookupBinTree } from '../../codec/cell/BinTree.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import { findShard, type ShardDescr, type ShardHashes, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { blockIdOf } from './blockIds.ts'
import { proving } from './proving.ts'

/** The newest block of a shard as a masterchain block has registered it. */
export type RegisteredShard = { readonly id: BlockIdExt; readonly descr: ShardDescr }

export const registeredShard = (leaf: ShardLeaf): RegisteredShard => ({
  id: blockIdOf(leaf, leaf.descr),
  descr: leaf.descr,
})

/** The shard that covers all of the given one, or `undefined` where a whole path shows that there is none. */
export const findRegisteredShard = (hashes: ShardHashes, shard: ShardIdent): RegisteredShard | undefined =>
  proving('a shard of the masterchain', () => {
    const leaf = findShard(hashes, shard)
    return leaf === undefined ? undefined : registeredShard(leaf)
  })

/** The cell of a leaf that is there: one bit, then the ShardDescr. */
export const leafCellOf = (hashes: ShardHashes, { workchain, shard }: ShardIdent): Cell | undefined =>
  proving('a shard of the masterchain', () => {
    const tree = hashes.find(workchain)
    if (tree === undefined) return undefined
    const isRight = (depth: number): boolean => ((shard >> BigInt(63 - depth)) & 1n) === 1n
    return lookupBinTree(
      tree,
      (depth) => (isRight(depth) ? 'right' : 'left'),
      (r) => r.cell,
    )?.value
  })
