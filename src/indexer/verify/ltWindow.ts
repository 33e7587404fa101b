type LtBounds = { readonly start_lt: bigint; readonly end_lt: bigint }

const MAX_LT = 2n ** 63n - 1n

/**
 * The logical times between which all transactions and messages of blocks lie. Rows are looked for there, since there is no index by
 * masterchain block.
 */
export const ltWindow = (blocks: readonly LtBounds[]): readonly [lowest: bigint, highest: bigint] => [
  blocks.reduce((least, { start_lt }) => (start_lt < least ? start_lt : least), MAX_LT),
  blocks.reduce((most, { end_lt }) => (end_lt > most ? end_lt : most), 0n),
]
