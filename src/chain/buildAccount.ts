import type { Cell } from '../codec/cell/Cell.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { HashIndex } from '../codec/cell/HashIndex.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import { type AccountState, type StorageUsed, writeAccount, writeAccountState } from '../codec/tlb/Account.ts'
import {
  type CurrencyCollection,
  NO_EXTRA_CURRENCIES,
  writeCurrencyCollection,
} from '../codec/tlb/CurrencyCollection.ts'
import type { Address } from '../primitives/Address.ts'

/** The cells of a tree and the bits in them, each cell counted once however often it is referred to. */
const countStorage = (root: Cell): StorageUsed => {
  const seen = new HashIndex()
  seen.add(root)
  const open = [root]
  let bits = 0
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    bits += cell.bits
    for (let k = 0; k < cell.refCount; k++) {
      const child = cell.ref(k)
      if (seen.find(child) !== -1) continue
      seen.add(child)
      open.push(child)
    }
  }
  return { cells: BigInt(seen.size), bits: BigInt(bits) }
}

/** An account without what follows from the rest. */
export type AccountParts = {
  readonly address: Address
  readonly balance: CurrencyCollection
  readonly state: AccountState
  /** The end lt of its last transaction, 0 before the first. */
  readonly lastTransLt: bigint
  /** The time up to which its storage is paid for; 0 is not yet. */
  readonly lastPaid: number
  readonly duePayment?: bigint | undefined
}

/**
 * The size that an account pays storage for: lt, balance and state as if they were in a cell of their own. Since global
 * version 10 extra currencies are not counted.
 */
const measureStorage = ({ lastTransLt, balance, state }: AccountParts): StorageUsed => {
  const w = new CellWriter().writeUint64(lastTransLt)
  writeCurrencyCollection(w, { grams: balance.grams, extra: NO_EXTRA_CURRENCIES })
  writeAccountState(w, state)
  return countStorage(w.toCell())
}

/**
 * The cell of an Account, its size counted. The hash of its storage dictionary is left out, as in first states: the virtual
 * machine adds it with the next transaction where the account is large enough to need one.
 */
export const buildAccount = (parts: AccountParts): Cell => {
  const { address, balance, state, lastTransLt, lastPaid, duePayment } = parts
  return writeWhole(writeAccount, {
    kind: 'account',
    address: { kind: 'std', workchain: address.workchain, hash: address.hash, anycast: undefined },
    storage: { used: measureStorage(parts), dictHash: undefined, lastPaid, duePayment },
    lastTransLt,
    balance,
    state,
  })
}
