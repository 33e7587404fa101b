import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'

/** A token contract for which its parent vouched once, as stored. Addresses as in the store. */
export type KnownToken = {
  readonly account: Uint8Array
  /** The code it had then. */
  readonly codeHash: Uint8Array
  /** Of the newest state that is known. */
  readonly lastLt: bigint
} & (
  | { readonly kind: 'jettonWallet'; readonly owner: Uint8Array; readonly master: Uint8Array }
  | { readonly kind: 'nftItem'; readonly index: bigint; readonly collection: Uint8Array | undefined }
)

export type WalletRow = CopyRow<typeof tables.jetton_wallets>
export type ItemRow = CopyRow<typeof tables.nft_items>

/** What the store knows already. */
export interface KnownContracts {
  /** The tokens among these accounts. An account may be of both kinds. */
  findTokens(accounts: readonly Uint8Array[]): Promise<readonly KnownToken[]>
  /** Their rows as they are. */
  readWallets(accounts: readonly Uint8Array[]): Promise<readonly WalletRow[]>
  readItems(accounts: readonly Uint8Array[]): Promise<readonly ItemRow[]>
  /** Those of these hashes whose code is stored. */
  findStoredCodes(codeHashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
}
