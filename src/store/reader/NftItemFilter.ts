/** Which items are asked for. */
export type NftItemFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly owners: readonly Uint8Array[] | undefined
  /** More than one only with an owner. */
  readonly collections: readonly Uint8Array[] | undefined
  readonly indexes: readonly bigint[] | undefined
  /** Whether an item that is for sale counts as held by who sells it. */
  readonly includeOnSale: boolean
  readonly byLastLt: boolean
}
