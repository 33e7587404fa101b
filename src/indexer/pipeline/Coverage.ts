import type { OpenTraces } from '../OpenTraces.ts'
import type { OpenRange, SeqnoRange } from './IndexStore.ts'

/** What is covered, as this process knows it: it is changed after each commit, and by nothing else. */
export class Coverage {
  private ranges: readonly OpenRange[]

  constructor(ranges: readonly OpenRange[]) {
    this.ranges = ranges
  }

  get all(): readonly SeqnoRange[] {
    return this.ranges.map(({ first, last }) => ({ first, last }))
  }

  /** The highest range. */
  get top(): OpenRange | undefined {
    return this.ranges.at(-1)
  }

  /** The lowest range. */
  get bottom(): OpenRange | undefined {
    return this.ranges[0]
  }

  /** The range that ends right below a seqno. */
  findBelow(seqno: number): OpenRange | undefined {
    return this.ranges.find(({ last }) => last === seqno - 1)
  }

  /** The range that begins right above a seqno. */
  findAbove(seqno: number): OpenRange | undefined {
    return this.ranges.find(({ first }) => first === seqno + 1)
  }

  /** The range that holds a seqno or, where none does, the next one below it. */
  findAtOrBelow(seqno: number): SeqnoRange | undefined {
    return this.ranges.findLast(({ first }) => first <= seqno)
  }

  /** Takes in a range that was written, which may have closed the gap to those on both sides of it. */
  add({ first, last }: SeqnoRange, open: OpenTraces): void {
    const below = this.findBelow(first)
    const above = this.findAbove(last)
    const joined = { first: below?.first ?? first, last: above?.last ?? last, open }
    const others = this.ranges.filter((range) => range !== below && range !== above)
    this.ranges = [...others, joined].sort((a, b) => a.first - b.first)
  }
}
