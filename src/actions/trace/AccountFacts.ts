import type { Cell } from '../../codec/cell/Cell.ts'

export type JettonWalletFacts = { readonly owner: string; readonly jetton: string }

export type NftItemFacts = {
  readonly index: bigint
  readonly collection: string | undefined
  readonly owner: string | undefined
  /** Where its content is kept outside the chain. */
  readonly uri: string | undefined
  /** base64 */
  readonly codeHash: string | undefined
}

export type SaleFacts = {
  readonly nft: string | undefined
  readonly owner: string | undefined
  readonly price: bigint | undefined
  readonly marketplace: string | undefined
  readonly codeHash: string | undefined
}

export type AuctionFacts = {
  readonly nft: string | undefined
  readonly owner: string | undefined
  readonly lastBid: bigint | undefined
  readonly marketplace: string | undefined
  readonly codeHash: string | undefined
}

/** The assets of a pool; `undefined` is the native coin. */
export type DedustPoolFacts = { readonly assets: readonly [string | undefined, string | undefined] }

export type MultisigOrderFacts = { readonly signers: readonly string[] }

/** What is known of one account; an account of which nothing is known has no member. */
export type KnownAccount = {
  readonly jettonWallet?: JettonWalletFacts | undefined
  readonly nftItem?: NftItemFacts | undefined
  readonly sale?: SaleFacts | undefined
  readonly auction?: AuctionFacts | undefined
  readonly dedustPool?: DedustPoolFacts | undefined
  readonly isNominatorPool?: boolean | undefined
  readonly multisigOrder?: MultisigOrderFacts | undefined
  /** The data of the contract. */
  readonly data?: Cell | undefined
}

const nothing: KnownAccount = {}

/**
 * What contracts are, by address. Patterns ask for accounts that are named in bodies only, so nobody can know beforehand which ones:
 * whoever was asked for and not looked up is remembered, and the trace is classified again once they are known.
 */
export class AccountFacts {
  readonly #known: ReadonlyMap<string, KnownAccount>
  readonly #missed = new Set<string>()

  constructor(known: ReadonlyMap<string, KnownAccount>) {
    this.#known = known
  }

  of(address: string | undefined): KnownAccount {
    if (address === undefined) return nothing
    const known = this.#known.get(address)
    if (known === undefined) this.#missed.add(address)
    return known ?? nothing
  }

  /** Those that were asked for and have not been looked up. */
  get missed(): ReadonlySet<string> {
    return this.#missed
  }
}
