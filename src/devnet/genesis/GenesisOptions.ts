import type { Cell } from '../../codec/cell/Cell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'

/** An account that is there from the start. */
export type GenesisAccount = {
  readonly address: Address
  readonly balance: CurrencyCollection
  /**
   * What it is deployed with; `undefined` leaves it with a balance alone. One of the masterchain with `special` flags is made
   * a fundamental contract: it pays no gas and gets its ticks and tocks.
   */
  readonly init: Partial<StateInit> | undefined
}

export type GenesisOptions = {
  /** Not zero; negative by custom for networks that are not the main one. */
  readonly globalId: number
  /** Time of the first states, in seconds. */
  readonly utime: number
  /** The public key of the one validator. */
  readonly validatorKey: Uint8Array
  /** The public key that may change the configuration; that of the validator where absent. */
  readonly configKey?: Uint8Array | undefined
  /** The basechain has between 2 ** minSplit and 2 ** maxSplit shards. Both are at most 4. */
  readonly minSplit: number
  readonly maxSplit: number
  readonly configCode: Cell
  readonly electorCode: Cell
  /** The masterchain account where names are looked up. */
  readonly dnsRoot?: Uint8Array | undefined
  readonly accounts: readonly GenesisAccount[]
}
