/** A value as it is shown: amounts are text, absent is null. */
export type Shown = string | number | boolean | null | readonly Shown[] | { readonly [name: string]: Shown }

/** What is told of a block. */
export type ActionFacts = {
  readonly source?: string | undefined
  readonly sourceSecondary?: string | undefined
  readonly destination?: string | undefined
  readonly destinationSecondary?: string | undefined
  /** As it is shown; what is undefined is left out. */
  readonly details: { readonly [name: string]: Shown | undefined }
  /** In whose history it is, besides everybody who took part. */
  readonly moreAccounts?: readonly string[]
  /** The action moves other currencies, and is called so. */
  readonly movesExtraCurrencies?: boolean
  /** There is no shape for its details; then it is shown as it is kept. */
  readonly hasNoShape?: boolean
}
