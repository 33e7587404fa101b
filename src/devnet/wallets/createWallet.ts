import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { contractAddress, contractInit } from '../contracts/contractInit.ts'
import { type WalletKind, walletCode, walletData, walletIdOf } from './walletKinds.ts'

export type Wallet = {
  readonly kind: WalletKind
  readonly walletId: number
  readonly address: Address
  readonly init: StateInit
}

/** The basechain wallet of a key, as common libraries make it by default on a network with this id. */
export const createWallet = (kind: WalletKind, publicKey: Uint8Array, networkGlobalId: number): Wallet => {
  const walletId = walletIdOf(kind, networkGlobalId)
  const init = contractInit(walletCode(kind), walletData(kind, publicKey, walletId))
  return { kind, walletId, address: contractAddress(init), init }
}
