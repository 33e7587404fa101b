/** A token contract for which its parent vouched once, as stored. Addresses as in the store. */
export type KnownToken = {
  readonly account: Uint8Array
  /** The code it had then. */
  readonly codeHash: Uint8Array
} & (
  | { readonly kind: 'jettonWallet'; readonly owner: Uint8Array; readonly master: Uint8Array }
  | { readonly kind: 'nftItem'; readonly index: bigint; readonly collection: Uint8Array | undefined }
)

/** What the store knows already. */
export interface KnownContracts {
  /** The tokens among these accounts. An account may be of both kinds. */
  findTokens(accounts: readonly Uint8Array[]): Promise<readonly KnownToken[]>
  /** Those of these hashes whose code is stored together with the list of its methods. */
  findStoredCodes(codeHashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
}
