import { toBase64 } from '../../primitives/base64.ts'
import type { WalletKind } from './WalletKind.ts'
import { walletKinds } from './walletKinds.ts'

const byCodeHash = new Map(walletKinds.map((kind) => [kind.codeHash, kind]))

/** What kind of wallet, or of the other contracts in the table, has this code. */
export const findWalletKind = (codeHash: Uint8Array): WalletKind | undefined => byCodeHash.get(toBase64(codeHash))
