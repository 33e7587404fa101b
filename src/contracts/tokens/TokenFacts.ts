import type { Cell } from '../../codec/cell/Cell.ts'
import type { Address } from '../../primitives/Address.ts'
import type { ItemDomain } from '../dns/findItemDomain.ts'
import type { TokenContent } from './TokenContent.ts'

/** The contract that issues a jetton (TEP-74). */
export type JettonMaster = {
  readonly kind: 'jettonMaster'
  readonly totalSupply: bigint
  readonly mintable: boolean
  /** Nobody, after the admin was given up. */
  readonly admin: Address | undefined
  readonly content: TokenContent
  readonly walletCode: Cell
}

/** Where an owner keeps jettons of one master, which vouches for it. */
export type JettonWallet = {
  readonly kind: 'jettonWallet'
  readonly balance: bigint
  readonly owner: Address
  readonly master: Address
  readonly walletCode: Cell
  /** Of jettons that are claimed instead of minted (TEP-177): whether this wallet did. */
  readonly mintlessClaimed: boolean | undefined
}

/** The contract that issues NFTs (TEP-62). */
export type NftCollection = {
  readonly kind: 'nftCollection'
  /** -1 where items are not numbered in order. */
  readonly nextItemIndex: bigint
  readonly content: TokenContent
  readonly owner: Address | undefined
}

/** One NFT; where it names a collection, that vouches for it. */
export type NftItem = {
  readonly kind: 'nftItem'
  readonly initialized: boolean
  readonly index: bigint
  readonly collection: Address | undefined
  readonly owner: Address | undefined
  readonly content: TokenContent
  /** Of items that are domain names. */
  readonly domain: ItemDomain | undefined
}

export type TokenFacts = JettonMaster | JettonWallet | NftCollection | NftItem
