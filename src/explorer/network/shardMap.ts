/** What of a block the map needs. */
export type MapBlock = {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly after_split: boolean
  readonly after_merge: boolean
  readonly tx_count: number
  readonly gen_utime: string
  readonly masterchain_block_ref: { readonly seqno: number }
  readonly prev_blocks: readonly { readonly workchain: number; readonly shard: string; readonly seqno: number }[]
}

/** A shard as a part of the address space, which goes from 0 to 1. */
export type Span = { readonly start: number; readonly width: number; readonly depth: number }

const SPACE = 1n << 64n
/** Exact in a double; shards are never this deep. */
const PRECISION = 1n << 40n

/** 16 hex digits: the prefix of the addresses, then a one, then zeros. */
export const spanOf = (shard: string): Span => {
  const value = BigInt(`0x${shard}`)
  const lowest = value & -value
  const part = (size: bigint): number => Number((size * PRECISION) / SPACE) / Number(PRECISION)
  const width = part(2n * lowest)
  return { start: part(value - lowest), width, depth: Math.round(-Math.log2(width)) }
}

/** The addresses of a shard: bits that they begin with, or all. */
export const prefixOf = (shard: string): string => {
  const { depth } = spanOf(shard)
  return depth === 0 ? 'all addresses' : `${BigInt(`0x${shard}`).toString(2).padStart(64, '0').slice(0, depth)}…`
}

/** Blocks that one masterchain block was the first to include. */
export type MapRow<B extends MapBlock> = { readonly seqno: number; readonly blocks: readonly B[] }

/** Rows of the map, the newest first. */
export const rowsOf = <B extends MapBlock>(blocks: readonly B[], maxRows: number): MapRow<B>[] => {
  const rows = new Map<number, B[]>()
  for (const block of blocks) {
    const { seqno } = block.masterchain_block_ref
    const row = rows.get(seqno)
    if (row === undefined) rows.set(seqno, [block])
    else row.push(block)
  }
  return [...rows]
    .map(([seqno, each]) => ({ seqno, blocks: each }))
    .sort((a, b) => b.seqno - a.seqno)
    .slice(0, maxRows)
}

/** The newest block of every shard that has not been split or merged since, in the order of addresses. */
export const currentShards = <B extends MapBlock>(blocks: readonly B[]): B[] => {
  const newest = new Map<string, B>()
  for (const block of blocks) {
    const known = newest.get(block.shard)
    if (known === undefined || known.seqno < block.seqno) newest.set(block.shard, block)
  }
  // A shard that covers the same addresses and goes on at a higher seqno has taken its place.
  const all = [...newest.values()]
  const overlaps = (a: Span, b: Span): boolean => a.start < b.start + b.width && b.start < a.start + a.width
  return all
    .filter(
      (one) =>
        !all.some(
          (other) => other.seqno > one.seqno && isOther(one, other) && overlaps(spanOf(one.shard), spanOf(other.shard)),
        ),
    )
    .sort((a, b) => spanOf(a.shard).start - spanOf(b.shard).start)
}

const isOther = (a: MapBlock, b: MapBlock): boolean => a.shard !== b.shard

export type Reshard<B extends MapBlock> = {
  readonly kind: 'split' | 'merge'
  readonly from: readonly string[]
  readonly to: readonly B[]
}

/** Splits and merges among the blocks, the newest first. */
export const reshardsOf = <B extends MapBlock>(blocks: readonly B[]): Reshard<B>[] => {
  const splits = new Map<string, B[]>()
  const found: Reshard<B>[] = []
  for (const block of blocks) {
    if (block.after_merge) found.push({ kind: 'merge', from: block.prev_blocks.map(({ shard }) => shard), to: [block] })
    const [parent] = block.prev_blocks
    if (!block.after_split || parent === undefined) continue
    const key = `${parent.shard} ${parent.seqno}`
    const halves = splits.get(key)
    if (halves !== undefined) {
      halves.push(block)
      continue
    }
    const to = [block]
    splits.set(key, to)
    found.push({ kind: 'split', from: [parent.shard], to })
  }
  return found.sort((a, b) => b.to[0]!.seqno - a.to[0]!.seqno)
}
