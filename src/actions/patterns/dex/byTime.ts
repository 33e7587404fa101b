import type { Block } from '../../tree/Block.ts'

/** Orders blocks by when they began. */
export const byTime = (a: Block, b: Block): number => (a.startLt < b.startLt ? -1 : a.startLt > b.startLt ? 1 : 0)
