import type { Order, Page } from './page.ts'
import { anyLt, type LtWindow } from './timeWindow.ts'

/** In the order in which contracts were discovered. */
export const bySince = (direction: 'asc' | 'desc' = 'asc'): Order => ({
  name: `since ${direction}`,
  columns: [
    { column: 'since_lt', direction },
    { column: 'address', direction },
  ],
})

/** Where the rest of a list is that is in an order of one direction by a number of 64 bits. */
export const reachAfter = ({ columns }: Order, { after }: Page): LtWindow => {
  const [place] = after?.key ?? []
  if (typeof place !== 'bigint') return anyLt
  return columns[0]!.direction === 'asc' ? { from: place, to: anyLt.to } : { from: anyLt.from, to: place }
}
