import { ADDRESS_KEY_BYTES } from '../primitives/Address.ts'
import { bytesEqual, getI32LE } from '../primitives/bytes.ts'
import type { DecodedBlockSet, TouchedAccount } from './blockSets.ts'
import type { ResolvedAccount } from './IndexBatch.ts'

// Random, so that nobody can craft keys that collide.
const multiplier = Math.floor(Math.random() * 2 ** 32) | 1
const FIRST_BITS = 8

/** A set of fixed-length keys, much smaller and faster than a Set of texts. When full, it starts over. */
export class KeySet {
  readonly #keyBytes: number
  readonly #maxBits: number
  readonly #firstBits: number
  #keys = new Uint8Array(0)
  #slots = new Int32Array(0)
  #bits = 0
  #used = 0

  /** For up to 2 ** `maxBits` keys, with initial room for `expected`. Their last four bytes should be random. */
  constructor(keyBytes: number, maxBits: number, expected = 0) {
    this.#keyBytes = keyBytes
    this.#maxBits = maxBits
    this.#firstBits = Math.min(maxBits, Math.max(FIRST_BITS, 32 - Math.clz32(expected)))
    this.clear()
  }

  get size(): number {
    return this.#used
  }

  clear(): void {
    this.#resize(this.#firstBits)
    this.#used = 0
  }

  has(bytes: Uint8Array, at = 0): boolean {
    return this.find(bytes, at) >= 0
  }

  /** The index of a key in insertion order; -1 if absent. */
  find(bytes: Uint8Array, at = 0): number {
    return this.#slots[this.#slotOf(bytes, at)]!
  }

  /** Adds a key and returns whether it is new. */
  add(bytes: Uint8Array, at = 0): boolean {
    let slot = this.#slotOf(bytes, at)
    if (this.#slots[slot]! >= 0) return false
    if (this.#used >= 1 << this.#bits) {
      if (this.#bits === this.#maxBits) this.clear()
      else this.#grow()
      slot = this.#slotOf(bytes, at)
    }
    this.#slots[slot] = this.#used
    const start = this.#used++ * this.#keyBytes
    for (let k = 0; k < this.#keyBytes; k++) this.#keys[start + k] = bytes[at + k]!
    return true
  }

  /** The slot of a key, or the free slot where it belongs: half of the slots are always free. */
  #slotOf(bytes: Uint8Array, at: number): number {
    const slots = this.#slots
    const keys = this.#keys
    const length = this.#keyBytes
    // The last four bytes: an address begins with its workchain.
    let slot = Math.imul(getI32LE(bytes, at + length - 4), multiplier) >>> (31 - this.#bits)
    for (;;) {
      const number = slots[slot]!
      if (number < 0) return slot
      const start = number * length
      let k = 0
      while (k < length && keys[start + k] === bytes[at + k]) k++
      if (k === length) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
  }

  #grow(): void {
    const keys = this.#keys
    this.#resize(this.#bits + 1)
    this.#keys.set(keys)
    for (let number = 0; number < this.#used; number++) {
      this.#slots[this.#slotOf(this.#keys, number * this.#keyBytes)] = number
    }
  }

  #resize(bits: number): void {
    this.#bits = bits
    this.#keys = new Uint8Array(this.#keyBytes * 2 ** bits)
    this.#slots = new Int32Array(2 ** (bits + 1)).fill(-1)
  }
}

/** An account after a batch. */
export type NewestAccount = {
  readonly touched: TouchedAccount
  /** The block set of its last change. */
  readonly seqno: number
  /** Logical time of the earliest state in the batch with the same code. */
  readonly sinceLt: bigint
}

type Touching = Pick<DecodedBlockSet, 'seqno' | 'accounts'>

/** The accounts of a batch, without duplicates. */
class NewestAccounts {
  readonly list: readonly NewestAccount[]
  readonly #keys: KeySet

  constructor(blockSets: readonly Touching[]) {
    const count = blockSets.reduce((sum, { accounts }) => sum + accounts.length, 0)
    const list: NewestAccount[] = []
    this.#keys = new KeySet(ADDRESS_KEY_BYTES, 30, count)
    for (const { seqno, accounts } of blockSets) {
      for (const touched of accounts) {
        const { account, lastLt } = touched
        const isNew = this.#keys.add(account)
        const number = isNew ? list.length : this.#keys.find(account)
        const before = list[number]
        const sinceLt = before !== undefined && hasSameCode(before.touched, touched) ? before.sinceLt : lastLt
        list[number] = { touched, seqno, sinceLt }
      }
    }
    this.list = list
  }

  /** `undefined` if the batch has no transaction of it. */
  find(account: Uint8Array): NewestAccount | undefined {
    return this.list[this.#keys.find(account)]
  }

  /** The resolved accounts in the order of the list: the last of each, if it belongs to the newest state. */
  match(resolved: readonly ResolvedAccount[]): readonly (ResolvedAccount | undefined)[] {
    const matched = new Array<ResolvedAccount | undefined>(this.list.length).fill(undefined)
    for (const account of resolved) {
      const number = this.#keys.find(account.account)
      if (number >= 0) matched[number] = account
    }
    return matched.map((account, k) => (account?.lastLt === this.list[k]!.touched.lastLt ? account : undefined))
  }
}

const hasSameCode = (a: TouchedAccount, b: TouchedAccount): boolean => {
  const { codeHash } = a
  const other = codeHash && b.codeHash
  return codeHash !== undefined && other !== undefined && bytesEqual(codeHash, other)
}

const known = new WeakMap<readonly Touching[], NewestAccounts>()

/** The accounts of a batch, cached for the stages that need them. */
export const newestAccountsOf = (blockSets: readonly Touching[]): NewestAccounts => {
  let accounts = known.get(blockSets)
  if (accounts === undefined) {
    accounts = new NewestAccounts(blockSets)
    known.set(blockSets, accounts)
  }
  return accounts
}
