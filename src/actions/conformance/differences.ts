/** A row of the reference that comes out differently here, and why that is right. */
export type KnownDifference = {
  /** As cases name it: traces that were altered share their ids with the traces that they were made of. */
  readonly traceFile: string
  /** base64 */
  readonly actionId: string
  readonly type: string
  readonly reason: string
}

/**
 * All that differs from the rows that the original made of the recorded traces. Whoever compares them fails on a row that is different
 * and not here, and on one that is here and not different any more.
 */
export const knownDifferences: readonly KnownDifference[] = [
  {
    traceFile: 'traces/5209b29a8c349a91834ae354282d581e4776f28eea71e56f62da2467ef83fb71-nobody.json.gz',
    actionId: '/Yg2IQk+sP8C4Vxyfm3mhKDyThBTW+lgjP4TuhjBbwM=',
    type: 'ton_transfer',
    reason:
      'The body of the message was taken out of this trace, so nobody can tell what the wallet was asked for. The row is that of the ' +
      'trace as it was, which has the same id.',
  },
]

/** Members of details that are not compared at all, and why. */
export const incomparable: Readonly<Record<string, string>> = {
  marketplace:
    'Names of marketplaces come from a table that whoever runs the original fills in. The recordings leave them out.',
}

/** Lists whose order says nothing, and why. */
export const unordered: Readonly<Record<string, string>> = {
  transactions: 'A set: the original has it in the order of a hash table.',
  accounts: 'A set: the original has it in the order of a hash table.',
  ancestor_type: 'A set: the original has it in the order of a hash table.',
  vault_excesses: 'The original takes messages as they come out of its store, and not as they were sent.',
}

/** So many digits of the index of an item are to be trusted: in the original it was a floating-point number on its way. */
export const INDEX_DIGITS = 15
