/** An amount in 1/65,536 as whole nanograms, begun ones in full. */
export const fromFraction = (amount: bigint): bigint => (amount + 0xffffn) >> 16n
