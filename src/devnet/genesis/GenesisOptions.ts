import type { Cell } from '../../codec/cell/Cell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { configAddress, electorAddress } from '../contracts/systemContracts.ts'

/** An account that is there from the start. */
export type GenesisAccount = {
  readonly address: Address
  readonly balance: CurrencyCollection
  /**
   * Code and data; `undefined` for an account with only a balance. One of the masterchain with `special` flags is made
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
  /** Set for a fork of another network. */
  readonly fork?: GenesisFork | undefined
}

/** What the first states of a fork take from the forked network. */
export type GenesisFork = {
  readonly config: ConfigDict
  /** Logical time at which the chain begins. */
  readonly lt: bigint
  /** The newest version of the rules that the virtual machine knows. */
  readonly supportedVersion: number
}

/** A network cannot begin as it was asked to. */
export class GenesisError extends CodedError {
  readonly code = 'invalid_genesis'
}

const MAX_SPLIT = 4
const MAX_TIME = 0xffff_ffff

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

/** Refuses what no network could begin with. */
export const checkOptions = (options: GenesisOptions): void => {
  const { globalId, utime, minSplit, maxSplit } = options
  if (globalId === 0 || globalId !== (globalId | 0)) {
    throw new GenesisError(`Expected a network id of 32 bits other than zero, but got ${globalId}.`)
  }
  if (!isWithin(utime, 1, MAX_TIME)) {
    throw new GenesisError(`Expected a start time in seconds from 1 to ${MAX_TIME}, but got ${utime}.`)
  }
  if (!isWithin(maxSplit, 0, MAX_SPLIT) || !isWithin(minSplit, 0, maxSplit)) {
    throw new GenesisError(
      `Expected a split depth from 0 to ${MAX_SPLIT} with the minimum not above the maximum, but got ${minSplit} and ${maxSplit}.`,
    )
  }
  checkBytes('The public key of the validator', options.validatorKey)
  if (options.configKey !== undefined) checkBytes('The public key of the configuration', options.configKey)
  if (options.dnsRoot !== undefined) checkBytes('The account of the root of names', options.dnsRoot)
  checkAccounts(options.accounts)
}

const checkBytes = (what: string, bytes: Uint8Array): void => {
  if (bytes.length !== 32) throw new GenesisError(`${what} must have 32 bytes, but got ${bytes.length}.`)
}

/** Refuses accounts of other workchains, and a second one at the same address or at one that the network itself uses. */
const checkAccounts = (accounts: readonly GenesisAccount[]): void => {
  const seen = new Set([configAddress, electorAddress].map(formatRawAddress))
  for (const { address } of accounts) {
    checkBytes('The hash of an address', address.hash)
    const name = formatRawAddress(address)
    if (address.workchain !== masterchain && address.workchain !== 0) {
      throw new GenesisError(`Accounts are in workchain 0 or -1, one is at ${name}.`)
    }
    if (seen.has(name)) throw new GenesisError(`Expected one account per address, but got two for ${name}.`)
    seen.add(name)
  }
}
