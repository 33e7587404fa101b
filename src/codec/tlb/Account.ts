import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type MsgAddressInt, readMsgAddressInt, writeMsgAddress } from './MsgAddress.ts'
import { readStateInit, type StateInit, writeStateInit } from './StateInit.ts'
import { readMaybeCoins, readVarUint7, unknownTag, writeMaybeCoins, writeVarUint7 } from './scalars.ts'

export type AccountState =
  | { readonly kind: 'uninit' }
  /** `stateHash` is the hash of the StateInit that the account had, and that would thaw it. */
  | { readonly kind: 'frozen'; readonly stateHash: Uint8Array }
  | { readonly kind: 'active'; readonly init: StateInit }

const UNINIT: AccountState = { kind: 'uninit' }

/** account_uninit$00; account_active$1 _:StateInit; account_frozen$01 state_hash:bits256 = AccountState; */
const readAccountState = (r: CellReader): AccountState => {
  if (r.readBit()) return { kind: 'active', init: readStateInit(r) }
  return r.readBit() ? { kind: 'frozen', stateHash: r.readBytes(32) } : UNINIT
}

export const writeAccountState = (w: CellWriter, state: AccountState): void => {
  switch (state.kind) {
    case 'uninit':
      w.writeUint(0b00, 2)
      return
    case 'frozen':
      w.writeUint(0b01, 2).writeBytes(state.stateHash)
      return
    case 'active':
      w.writeBit(true)
      writeStateInit(w, state.init)
  }
}

export type StorageUsed = { readonly cells: bigint; readonly bits: bigint }

/** storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed; */
export const readStorageUsed = (r: CellReader): StorageUsed => ({ cells: readVarUint7(r), bits: readVarUint7(r) })

export const writeStorageUsed = (w: CellWriter, { cells, bits }: StorageUsed): void => {
  writeVarUint7(w, cells)
  writeVarUint7(w, bits)
}

/**
 * storage_extra_none$000 = StorageExtraInfo; storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
 * Before version 11 the three bits were public_cells:(VarUInteger 7), always zero.
 */
const readStorageExtra = (r: CellReader): Uint8Array | undefined => {
  const tag = r.readUint(3)
  if (tag === 0b000) return undefined
  if (tag === 0b001) return r.readBytes(32)
  throw unknownTag('A StorageExtraInfo', '$000 or $001', tag, 3)
}

/** storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo; */
const readStorageInfo = (r: CellReader) => ({
  used: readStorageUsed(r),
  /** Hash of the dictionary of the account's cells, kept for large accounts since global version 11. */
  dictHash: readStorageExtra(r),
  lastPaid: r.readUint(32),
  duePayment: readMaybeCoins(r),
})

export type StorageInfo = Readonly<ReturnType<typeof readStorageInfo>>

const writeStorageInfo = (w: CellWriter, { used, dictHash, lastPaid, duePayment }: StorageInfo): void => {
  writeStorageUsed(w, used)
  w.writeUint(dictHash === undefined ? 0b000 : 0b001, 3)
  if (dictHash !== undefined) w.writeBytes(dictHash)
  w.writeUint(lastPaid, 32)
  writeMaybeCoins(w, duePayment)
}

/** The value of an account that does not exist, for instance before its first transaction. */
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

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

/** acc_state_uninit$00 acc_state_frozen$01 acc_state_active$10 acc_state_nonexist$11 = AccountStatus; */
export const readAccountStatus = (r: CellReader): AccountStatus => STATUSES[r.readUint(2) as 0 | 1 | 2 | 3]

export const writeAccountStatus = (w: CellWriter, status: AccountStatus): void => {
  w.writeUint(STATUSES.indexOf(status), 2)
}
