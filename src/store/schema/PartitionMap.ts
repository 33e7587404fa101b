/** The masterchain blocks of a partition: from `start` on, without `end`. */
export type PartitionSpan = { readonly start: number; readonly end: number }

/** No seqno is larger. */
export const MAX_SEQNO = 0x7fff_ffff

/** The partitions of an index. Their widths differ; all partitioned tables have the same. */
export class PartitionMap {
  /** Ascending. */
  readonly starts: readonly number[]
  /** In the order of {@link starts}. */
  readonly ends: readonly number[]

  constructor(spans: Iterable<PartitionSpan>) {
    const sorted = [...spans].sort((a, b) => a.start - b.start)
    this.starts = sorted.map(({ start }) => start)
    this.ends = sorted.map(({ end }) => end)
  }

  /** The partition of a block, if there is one. */
  find(seqno: number): PartitionSpan | undefined {
    const index = this.#indexOf(seqno)
    return index >= 0 && seqno < this.ends[index]! ? this.#at(index) : undefined
  }

  /** The last partition that starts at or below a block. */
  below(seqno: number): PartitionSpan | undefined {
    return this.#at(this.#indexOf(seqno))
  }

  /** The first partition that starts above a block. */
  above(seqno: number): PartitionSpan | undefined {
    return this.#at(this.#indexOf(seqno) + 1)
  }

  /** Where the partition of a block starts. */
  startOf(seqno: number): number {
    const found = this.find(seqno)
    if (found === undefined) throw new RangeError(`There is no partition for masterchain block ${seqno}.`)
    return found.start
  }

  *spans(): Iterable<PartitionSpan> {
    for (let index = 0; index < this.starts.length; index++) yield this.#at(index)!
  }

  #at(index: number): PartitionSpan | undefined {
    const start = this.starts[index]
    return start === undefined ? undefined : { start, end: this.ends[index]! }
  }

  #indexOf(seqno: number): number {
    let [low, high] = [0, this.starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.starts[middle]! <= seqno) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** The first block that stays if history before a block is dropped by whole partitions. */
export const lowestKept = (map: PartitionMap, seqno: number): number => map.find(seqno)?.start ?? seqno

/** What the next partition is measured by. */
export type PartitionSizes = {
  /** The most blocks of a partition; partitions do not cross its multiples. */
  readonly width: number
  /** Bytes that a partition shall have, unless it has the most blocks before. `undefined` where bytes are not known. */
  readonly wantedBytes: number | undefined
  /** Bytes of a masterchain block with all its rows and indexes in a partition; `undefined` where that is not known. */
  readonly bytesPerBlock: (span: PartitionSpan) => number | undefined
}

/**
 * A third of a partition are indexes whose pages rows change at random. They must stay in the memory of the server, beside all that is read,
 * and be much smaller than what it writes to its log between checkpoints: after each, the first change of a page writes the whole page.
 */
const OF_PAGE_MEMORY = 0.75
/** However large the index is, a new partition is at least this part of it, since every search takes time in each. */
const OF_ALL = 1 / 8

/** How large the next partition shall be, by the memory of the server for pages (`shared_buffers`) and the size of all partitions. */
export const wantPartitionBytes = (pageMemoryBytes: number, allBytes: number): number =>
  Math.max(OF_PAGE_MEMORY * pageMemoryBytes, OF_ALL * allBytes)

/** For the first partition, before it is known how much is in a block. */
const FIRST_WIDTH = 1 << 16
const MIN_WIDTH = 1 << 12
/** A partition has at most so many times the blocks of its neighbour: much may be in those to come. */
const MAX_GROWTH = 4

/**
 * The partition to create for a block: next to an existing one, and as wide as is wanted by what a block takes there. What would be left
 * of a multiple of the width is added if it is little.
 */
export const chooseSpan = (map: PartitionMap, seqno: number, sizes: PartitionSizes): PartitionSpan => {
  const cell = seqno - (seqno % sizes.width)
  const [below, above] = [map.below(seqno), map.above(seqno)]
  const from = Math.max(cell, below?.end ?? 0)
  const to = Math.min(cell + sizes.width, above?.start ?? Number.POSITIVE_INFINITY)
  const neighbours = [below?.end === from ? below : undefined, above?.start === to ? above : undefined]
  const nearest = seqno - from <= to - seqno ? neighbours : neighbours.toReversed()
  const neighbour = nearest.find((span) => span !== undefined)
  const blocks = countBlocks(neighbour, sizes)
  if (to - from < blocks * 1.25) return { start: from, end: to }
  if (neighbour !== undefined && neighbour === neighbours[0] && seqno < from + blocks) {
    return { start: from, end: from + blocks }
  }
  if (neighbour !== undefined && neighbour === neighbours[1] && seqno >= to - blocks) {
    return { start: to - blocks, end: to }
  }
  // Not at the block itself: where a partition starts must not depend on which of its blocks is indexed first.
  const start = Math.max(from, seqno - (seqno % blocks))
  return { start, end: Math.min(to, start + blocks) }
}

const countBlocks = (neighbour: PartitionSpan | undefined, sizes: PartitionSizes): number => {
  const { width, wantedBytes, bytesPerBlock } = sizes
  if (wantedBytes === undefined) return width
  const bytes = neighbour && bytesPerBlock(neighbour)
  const wanted =
    neighbour === undefined || bytes === undefined
      ? FIRST_WIDTH
      : Math.min(Math.floor(wantedBytes / bytes), MAX_GROWTH * (neighbour.end - neighbour.start))
  return Math.min(width, Math.max(MIN_WIDTH, wanted))
}
