import type { BlockId } from '../../primitives/BlockId.ts'
import type { Slice } from './groupPacks.ts'

export type SliceSearch = {
  findSliceUpTo(id: number): Promise<Slice | undefined>
  findSliceAfter(id: number): Promise<Slice | undefined>
  /** The lowest and the highest seqno of blocks in a slice whose shard has accounts in common with the block's. */
  findSeqnoRange(slice: Slice, id: BlockId): Promise<readonly [lowest: number, highest: number] | undefined>
}

/**
 * The slice that holds a shard block if any does. A shard block is in the slice of the masterchain block that includes it, which
 * its id does not tell; but along a shard, through splits and merges, seqnos only grow, so a bisection finds it.
 */
export const findShardSlice = async (search: SliceSearch, block: BlockId): Promise<Slice | undefined> => {
  const first = await search.findSliceAfter(-1)
  const last = await search.findSliceUpTo(Number.MAX_SAFE_INTEGER)
  if (first === undefined || last === undefined) return undefined
  // Both ends stay ids of slices or just below one, so that every step leaves fewer.
  let low = first.id
  let high = last.id
  while (low <= high) {
    const start = await search.findSliceUpTo(low + Math.floor((high - low) / 2))
    if (start === undefined || start.id < low) return undefined
    let slice: Slice | undefined = start
    let range = await search.findSeqnoRange(slice, block)
    // A slice without a block of these shards says nothing: the next one that has some does.
    while (range === undefined) {
      slice = await search.findSliceAfter(slice.id)
      if (slice === undefined || slice.id > high) break
      range = await search.findSeqnoRange(slice, block)
    }
    if (slice === undefined || range === undefined || block.seqno < range[0]) high = start.id - 1
    else if (block.seqno <= range[1]) return slice
    else low = (await search.findSliceAfter(slice.id))?.id ?? high + 1
  }
  return undefined
}
