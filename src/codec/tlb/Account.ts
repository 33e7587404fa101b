import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { type AccountState, readAccountState, writeAccountState } from './AccountState.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type MsgAddressInt, readMsgAddressInt, writeMsgAddress } from './MsgAddress.ts'
import { readStorageInfo, type StorageInfo, writeStorageInfo } from './StorageInfo.ts'

/** What stands for an account that is not there, for instance before its first transaction. */
export type AccountNone = { readonly kind: 'none' }

export type ExistingAccount = {
  readonly kind: 'account'
  readonly address: MsgAddressInt
  readonly storage: StorageInfo
  /** The end lt of the last transaction; ShardAccount has the lt of the transaction itself. */
  readonly lastTransLt: bigint
  readonly balance: CurrencyCollection
  readonly state: AccountState
}

export type Account = AccountNone | ExistingAccount

export const ACCOUNT_NONE: AccountNone = { kind: 'none' }

/**
 * account_none$0 = Account; account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
 * account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
 */
export const readAccount = (r: CellReader): Account =>
  r.readBit()
    ? {
        kind: 'account',
        address: readMsgAddressInt(r),
        storage: readStorageInfo(r),
        lastTransLt: r.readUint64(),
        balance: readCurrencyCollection(r),
        state: readAccountState(r),
      }
    : ACCOUNT_NONE

export const writeAccount = (w: CellWriter, account: Account): void => {
  w.writeBit(account.kind === 'account')
  if (account.kind === 'none') return
  writeMsgAddress(w, account.address)
  writeStorageInfo(w, account.storage)
  w.writeUint64(account.lastTransLt)
  writeCurrencyCollection(w, account.balance)
  writeAccountState(w, account.state)
}

/** Reads the account that fills a cell, as a ShardAccount or a liteserver's answer holds it. */
export const openAccount = (cell: Cell): Account => readWhole(cell, readAccount, 'An Account')

/** The cell of an absent account: the old hash in the first transaction of every account. */
export const accountNoneCell: Cell = writeWhole(writeAccount, ACCOUNT_NONE)
