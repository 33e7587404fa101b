import { accountNoneCell } from '../../../src/codec/tlb/Account.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import { accountStatusCode } from '../../../src/store/schema/codes.ts'
import type { CopyRow, Table } from '../../../src/store/schema/columns.ts'
import { type AccountLives, xorBytes } from './AccountLives.ts'
import { addressText, type ChainTemplate, type TransactionRow } from './ChainTemplate.ts'
import { type ColumnRule, columnRules } from './columnRules.ts'

/** By how much the numbers of a copy are above those of its chain. */
export type Shifts = {
  readonly mcSeqno: number
  readonly shardSeqno: number
  readonly lt: bigint
  readonly time: number
}

export type CopyPlace = {
  readonly chain: ChainTemplate
  /** How often all chains have been copied before. */
  readonly round: number
  readonly shifts: Shifts
  readonly lives: AccountLives
  readonly seed: Uint8Array
  /** The copies right before it, the nearest first: as many as it takes for one of each chain. */
  readonly before: readonly ChainCopy[]
}

type AnyRow = Readonly<Record<string, unknown>>

const NONEXIST = accountStatusCode('nonexist')
const ITEMS_IN_ROUND = 1_000_000n

/** One copy of a chain: what its values become. Those of the first round have no other hashes and addresses than the chain. */
export class ChainCopy {
  readonly chain: ChainTemplate
  readonly round: number
  readonly shifts: Shifts
  readonly #lives: AccountLives
  readonly #hashMask: Uint8Array
  readonly #addresses = new Map<string, Uint8Array>()
  #before: readonly ChainCopy[]

  constructor({ chain, round, shifts, lives, seed, before }: CopyPlace) {
    this.chain = chain
    this.round = round
    this.shifts = shifts
    this.#before = before
    this.#lives = lives
    this.#hashMask = round === 0 ? new Uint8Array(32) : sha256(Buffer.concat([seed, Buffer.from(`hash ${round}`)]))
  }

  get before(): readonly ChainCopy[] {
    return this.#before
  }

  /** Lets go of the copies before it, once all of it has been made: each would keep those before it alive. */
  release(): void {
    this.#before = []
  }

  mapHash(hash: Uint8Array): Uint8Array {
    return xorBytes(hash, this.#hashMask)
  }

  mapStateHash(hash: Uint8Array): Uint8Array {
    return accountNoneCell.hasHash(hash) ? hash : this.mapHash(hash)
  }

  mapAddress(address: Uint8Array): Uint8Array {
    const key = addressText(address)
    let mapped = this.#addresses.get(key)
    if (mapped === undefined) {
      mapped = this.#lives.mapAddress(address, this.round)
      this.#addresses.set(key, mapped)
    }
    return mapped
  }

  mapBlockSeqno(workchain: number, seqno: number): number {
    return seqno + (workchain === masterchain ? this.shifts.mcSeqno : this.shifts.shardSeqno)
  }

  mapRow<T extends Table>(row: CopyRow<T>): CopyRow<T> {
    const mapped: Record<string, unknown> = {}
    const given = row as AnyRow
    for (const name in given) {
      const value = given[name]
      mapped[name] =
        value === null || value === undefined ? value : this.#mapValue(columnRules[name as never], value, given)
    }
    return mapped as CopyRow<T>
  }

  /** The transaction before the first of an account in this copy, where the account goes on from another. */
  findPrevious(row: TransactionRow): { readonly copy: ChainCopy; readonly last: TransactionRow } | undefined {
    const key = addressText(row.account)
    if (this.chain.histories.get(key)?.first !== row) return undefined
    for (const copy of this.#before) {
      const history = copy.chain.histories.get(key)
      if (history === undefined || !this.#lives.isSame(row.account, this.round, copy.round)) continue
      // An account that is gone begins anew.
      return history.last.end_status === NONEXIST ? undefined : { copy, last: history.last }
    }
    return undefined
  }

  #mapValue(rule: ColumnRule, value: unknown, row: AnyRow): unknown {
    switch (rule) {
      case 'same':
        return value
      case 'lt':
        return value === 0n ? value : (value as bigint) + this.shifts.lt
      case 'time':
        if (typeof value === 'bigint') return value === 0n ? value : value + BigInt(this.shifts.time)
        return value === 0 ? value : (value as number) + this.shifts.time
      case 'mcSeqno':
        return (value as number) + this.shifts.mcSeqno
      case 'blockSeqno':
        return this.mapBlockSeqno(row['workchain'] as number, value as number)
      case 'ownBlockSeqno':
        return this.mapBlockSeqno(((row['account'] as Uint8Array)[0]! << 24) >> 24, value as number)
      case 'hash':
        return this.mapHash(value as Uint8Array)
      case 'stateHash':
        return this.mapStateHash(value as Uint8Array)
      case 'address':
        return this.mapAddress(value as Uint8Array)
      case 'addresses':
        return (value as readonly Uint8Array[]).map((address) => this.mapAddress(address))
      case 'itemIndex':
        return this.#mapIndex(value as bigint)
      case 'domain':
        return this.round === 0 ? value : `${this.round}-${value as string}`
    }
  }

  /** Items of one collection are in all copies of it. An index that is a hash cannot be added to. */
  #mapIndex(index: bigint): bigint {
    if (index < 0n) return index
    if (index < 1n << 64n) return index + BigInt(this.round) * ITEMS_IN_ROUND
    return index ^ BigInt(`0x${Buffer.from(this.#hashMask).toString('hex')}`)
  }
}
