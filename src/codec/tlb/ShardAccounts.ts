import { type AugDict, type AugDictType, openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import { hashKey } from '../cell/dictTypes.ts'
import { openAccount } from './Account.ts'
import {
  combineDepthBalance,
  type DepthBalanceInfo,
  NO_DEPTH_BALANCE,
  readDepthBalanceInfo,
  writeDepthBalanceInfo,
} from './DepthBalanceInfo.ts'
import { readShardAccount, type ShardAccount, writeShardAccount } from './ShardAccount.ts'

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
