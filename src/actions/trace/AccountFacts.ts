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

/** Facts about one account; an unknown account has no member. */
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
 * Facts about contracts by address. Patterns read accounts that only message bodies name, so the list is not known beforehand: this
 * class records the accounts that were missing, and the trace is classified again once their facts are loaded.
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

  /** Accounts that patterns needed and that are not loaded. */
  get missed(): ReadonlySet<string> {
    return this.#missed
  }
}
