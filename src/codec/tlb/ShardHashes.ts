import { shardPrefixLength } from '../../primitives/shard.ts'
import { type BinTreeLeaf, lookupBinTree, readBinTree, writeBinTree } from '../cell/BinTree.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { cellValue, int32Key } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readShardDescr, type ShardDescr, writeShardDescr } from './ShardDescr.ts'
import type { ShardIdent } from './ShardIdent.ts'

/** The shards of every workchain but the masterchain: a binary tree of ShardDescr for each. */
export type ShardHashes = Dict<number, Cell>

/** A shard and what the masterchain knows of it. */
export type ShardLeaf = ShardIdent & { readonly descr: ShardDescr }

export const shardHashesType: DictType<number, Cell> = { key: int32Key, value: cellValue }

/** _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes; */
export const readShardHashes = (r: CellReader): ShardHashes => readDict(r, shardHashesType)

export const writeShardHashes = (w: CellWriter, hashes: ShardHashes): void => writeDict(w, hashes)

// Equal trees are one cell, so a small block may claim any number of workchains.
const MAX_SHARDS = 1 << 11

const shardOfPath = (path: bigint, depth: number): bigint => ((path << 1n) | 1n) << BigInt(63 - depth)

/** All shards: workchain by workchain (negative ones last), from the left to the right of each tree. */
export const listShards = (hashes: ShardHashes): ShardLeaf[] => {
  const shards: ShardLeaf[] = []
  hashes.forEach((workchain, tree) => {
    for (const { path, depth, value } of readBinTree(tree, readShardDescr)) {
      shards.push({ workchain, shard: shardOfPath(path, depth), descr: value })
    }
    if (shards.length > MAX_SHARDS) throw new CellError(`At most ${MAX_SHARDS} shards are read, there are more.`)
  })
  return shards
}

/**
 * The shard that covers all of the given one: itself or one it would come from by splits. `undefined` where the workchain is
 * not known or the given shard has been split. Only the path to it is entered, so a proof of it is enough.
 */
export const findShard = (hashes: ShardHashes, { workchain, shard }: ShardIdent): ShardLeaf | undefined => {
  const tree = hashes.find(workchain)
  if (tree === undefined) return undefined
  const length = shardPrefixLength(shard)
  const turn = (depth: number): 'left' | 'right' | 'stop' => {
    if (depth === length) return 'stop'
    return ((shard >> BigInt(63 - depth)) & 1n) === 1n ? 'right' : 'left'
  }
  const found = lookupBinTree(tree, turn, readWholeDescr)
  if (found === undefined) return undefined
  const { depth, value } = found
  return { workchain, shard: shardOfPath(shard >> BigInt(64 - depth), depth), descr: value }
}

/** The shard of an account, by the first 64 bits of its address. */
export const findShardOfAccount = (
  hashes: ShardHashes,
  workchain: number,
  accountPrefix: bigint,
): ShardLeaf | undefined => findShard(hashes, { workchain, shard: accountPrefix | 1n })

const readWholeDescr = (r: CellReader): ShardDescr => {
  const descr = readShardDescr(r)
  r.expectEnd('A ShardDescr')
  return descr
}

/** Builds the trees of these shards, which may come in any order but must cover each of their workchains without gaps. */
export const buildShardHashes = (shards: Iterable<ShardLeaf>): ShardHashes => {
  const byWorkchain = new Map<number, BinTreeLeaf<ShardDescr>[]>()
  for (const { workchain, shard, descr } of [...shards].sort(compareShards)) {
    const depth = shardPrefixLength(shard)
    const leaf = { path: shard >> BigInt(64 - depth), depth, value: descr }
    const leaves = byWorkchain.get(workchain)
    if (leaves === undefined) byWorkchain.set(workchain, [leaf])
    else leaves.push(leaf)
  }
  const trees = Array.from(
    byWorkchain,
    ([workchain, leaves]) => [workchain, writeBinTree(leaves, writeShardDescr)] as const,
  )
  return Dict.of(shardHashesType, trees)
}

const compareShards = (a: ShardIdent, b: ShardIdent): number => (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0)
