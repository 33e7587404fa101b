import { type AugDict, type AugDictType, openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { hashKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { openAccount } from './Account.ts'
import {
  addCurrency,
  type CurrencyCollection,
  readCurrencyCollection,
  writeCurrencyCollection,
  ZERO_CURRENCY,
} from './CurrencyCollection.ts'

type DepthBalanceInfo = { readonly splitDepth: number; readonly balance: CurrencyCollection }

const MAX_SPLIT_DEPTH = 30

const NO_DEPTH_BALANCE: DepthBalanceInfo = { splitDepth: 0, balance: ZERO_CURRENCY }

/** depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo; */
export const readDepthBalanceInfo = (r: CellReader): DepthBalanceInfo => ({
  splitDepth: checkDepth(r.readUint(5)),
  balance: readCurrencyCollection(r),
})

export const writeDepthBalanceInfo = (w: CellWriter, { splitDepth, balance }: DepthBalanceInfo): void => {
  w.writeUint(checkDepth(splitDepth), 5)
  writeCurrencyCollection(w, balance)
}

/** The sums over both sides of a fork of ShardAccounts. */
const combineDepthBalance = (left: DepthBalanceInfo, right: DepthBalanceInfo): DepthBalanceInfo => ({
  splitDepth: Math.max(left.splitDepth, right.splitDepth),
  balance: addCurrency(left.balance, right.balance),
})

const checkDepth = (depth: number): number => {
  if (depth > MAX_SPLIT_DEPTH) throw new CellError(`A split depth is at most ${MAX_SPLIT_DEPTH}, but got ${depth}.`)
  return depth
}

/** account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount; */
export const readShardAccount = (r: CellReader) => ({
  /** The cell of the Account, whose hash transactions and proofs state; read it with `openAccount`. */
  account: r.readRefCell(),
  lastTransHash: r.readBytes(32),
  lastTransLt: r.readUint64(),
})

export type ShardAccount = Readonly<ReturnType<typeof readShardAccount>>

export const writeShardAccount = (w: CellWriter, { account, lastTransHash, lastTransLt }: ShardAccount): void => {
  w.writeRef(account).writeBytes(lastTransHash).writeUint64(lastTransLt)
}

/** The accounts of a shard by the 256 bits of their address, with the sum of all balances. */
export type ShardAccounts = AugDict<Uint8Array, ShardAccount, DepthBalanceInfo>

const depthBalanceOf = ({ account: cell }: ShardAccount): DepthBalanceInfo => {
  const account = openAccount(cell)
  if (account.kind === 'none') return NO_DEPTH_BALANCE
  return { splitDepth: account.address.anycast?.depth ?? 0, balance: account.balance }
}

/** _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts; */
export const shardAccountsType: AugDictType<Uint8Array, ShardAccount, DepthBalanceInfo> = {
  key: hashKey,
  value: { read: readShardAccount, write: writeShardAccount },
  extra: {
    codec: { read: readDepthBalanceInfo, write: writeDepthBalanceInfo },
    empty: NO_DEPTH_BALANCE,
    combine: combineDepthBalance,
    ofLeaf: depthBalanceOf,
  },
}

/** Opens the accounts of a state. Only the root is read; `find` then enters the path to its account and nothing else. */
export const openShardAccounts = (cell: Cell): ShardAccounts => openAugDict(cell, shardAccountsType)
