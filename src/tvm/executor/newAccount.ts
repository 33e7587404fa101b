import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import {
  type AccountState,
  accountNoneCell,
  type ExistingAccount,
  type StorageUsed,
  writeAccount,
  writeAccountState,
} from '../../codec/tlb/Account.ts'
import { type CurrencyCollection, writeCurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { type StateInit, writeStateInit } from '../../codec/tlb/StateInit.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { isZero } from './amounts.ts'
import { measureTrees } from './cellTrees.ts'
import type { TransactionState } from './TransactionState.ts'

/** Accounts that are larger than this are given a dictionary of their cells even where nothing changed. */
const LARGE_ACCOUNT_CELLS = 25n

const stateInitOf = (tx: TransactionState): StateInit => ({
  // Before version 10 it was that of the address, and only accounts with anycast addresses had one.
  fixedPrefixLength:
    tx.fixedPrefixLength === 0 || (tx.version < 10 && !tx.wasActivated) ? undefined : tx.fixedPrefixLength,
  special: tx.tick || tx.tock ? { tick: tx.tick, tock: tx.tock } : undefined,
  code: tx.code,
  data: tx.data,
  library: tx.library,
})

const frozenState = (tx: TransactionState): AccountState => {
  const { original } = tx
  const stateHash = tx.wasFrozen
    ? writeWhole(writeStateInit, stateInitOf(tx)).hash()
    : original?.state.kind === 'frozen'
      ? original.state.stateHash
      : tx.address.hash
  if (!bytesEqual(stateHash, tx.address.hash)) return { kind: 'frozen', stateHash }
  // A state whose hash is the address can be brought back without remembering it.
  if (tx.version >= 13) tx.status = 'uninit'
  return { kind: 'uninit' }
}

const newState = (tx: TransactionState): AccountState => {
  if (tx.status === 'uninit') return { kind: 'uninit' }
  return tx.status === 'frozen' ? frozenState(tx) : { kind: 'active', init: stateInitOf(tx) }
}

/** What is measured of an account: from version 10 on without its extra currencies. */
const storageCell = (version: number, lastTransLt: bigint, balance: CurrencyCollection, state: AccountState): Cell => {
  const w = new CellWriter().writeUint64(lastTransLt)
  if (version >= 10) w.writeCoins(balance.grams).writeBit(false)
  else writeCurrencyCollection(w, balance)
  writeAccountState(w, state)
  return w.toCell()
}

const refsOf = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, k) => cell.ref(k))

type Measured = { readonly used: StorageUsed; readonly dictHash: Uint8Array | undefined }

/** Sizes are counted anew only where a reference has changed. */
const measureStorage = (tx: TransactionState, storage: Cell): Measured => {
  const { original, version, isMasterchain } = tx
  const old = original && storageCell(version, original.lastTransLt, original.balance, original.state)
  const refs = refsOf(storage)
  const oldRefs = old && refsOf(old)
  const isSame =
    oldRefs !== undefined && refs.length === oldRefs.length && refs.every((ref, k) => ref.equals(oldRefs[k]!))
  const hasDict = version >= 11 && !isMasterchain
  const known = original?.storage
  const wantsDict =
    hasDict && known !== undefined && known.dictHash === undefined && known.used.cells > LARGE_ACCOUNT_CELLS
  if (isSame && !wantsDict) {
    const bits = known!.used.bits - BigInt(old!.bits) + BigInt(storage.bits)
    return { used: { cells: known!.used.cells, bits }, dictHash: hasDict ? known!.dictHash : undefined }
  }
  const trees = measureTrees(refs)
  const cells = trees.cells + 1
  const isLarge = hasDict && cells >= tx.config.limits.accountStateCellsForStorageDict
  return {
    used: { cells: BigInt(cells), bits: BigInt(trees.bits + storage.bits) },
    dictHash: isLarge ? trees.dictHash() : undefined,
  }
}

/** The account after the transaction; its status is final afterwards. */
export const buildNewAccount = (tx: TransactionState): Cell => {
  if (tx.status === 'uninit' && !tx.wasActivated && isZero(tx.balance)) tx.status = 'nonexist'
  if (tx.status === 'deleted' && !isZero(tx.balance)) tx.status = 'uninit'
  if (tx.status === 'nonexist' || tx.status === 'deleted') return accountNoneCell
  const state = newState(tx)
  const { used, dictHash } = measureStorage(tx, storageCell(tx.version, tx.endLt, tx.balance, state))
  const account: ExistingAccount = {
    kind: 'account',
    address: tx.version >= 10 || tx.original === undefined ? tx.address : tx.original.address,
    storage: {
      used,
      dictHash,
      lastPaid: tx.lastPaid,
      duePayment: tx.duePayment === 0n ? undefined : tx.duePayment,
    },
    lastTransLt: tx.endLt,
    balance: tx.balance,
    state,
  }
  return writeWhole(writeAccount, account)
}
