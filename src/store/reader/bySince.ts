import type { Order } from './page.ts'

/** In the order in which contracts were discovered. */
export const bySince = (direction: 'asc' | 'desc' = 'asc'): Order => ({
  name: `since ${direction}`,
  columns: [
    { column: 'since_lt', direction },
    { column: 'address', direction },
  ],
})
