import type { openCell } from '../../../src/codec/cell/CellReader.ts'
import { ACCOUNT_NONE, type Account, accountNoneCell, openAccount } from '../../../src/codec/tlb/Account.ts'
import {
  readDepthBalanceInfo,
  readShardAccount,
  type ShardAccount,
  type ShardAccounts,
} from '../../../src/codec/tlb/ShardAccounts.ts'
import { bytesEqual } from '../../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import { listDifferences } from './dictDifference.ts'
import { holds } from './routes.ts'

/** An account at one time; one that is not there has the hash of the empty account. */
export type AccountMoment = {
  readonly account: Account
  readonly hash: string
  readonly lastTransHash: string
  readonly lastTransLt: bigint
}

export type AccountChange = {
  readonly account: string
  readonly before: ShardAccount | undefined
  readonly after: ShardAccount | undefined
}

const NO_TRANSACTION = '0'.repeat(64)

export const momentOf = (entry: ShardAccount | undefined): AccountMoment =>
  entry === undefined
    ? {
        account: ACCOUNT_NONE,
        hash: toHex(accountNoneCell.hash()),
        lastTransHash: NO_TRANSACTION,
        lastTransLt: 0n,
      }
    : {
        account: openAccount(entry.account),
        hash: toHex(entry.account.hash()),
        lastTransHash: toHex(entry.lastTransHash),
        lastTransLt: entry.lastTransLt,
      }

export const findAccountBefore = ({ before }: BlockContext, account: string): ShardAccount | undefined => {
  for (const { accounts } of before) {
    const found = accounts.find(fromHex(account))
    if (found !== undefined) return found
  }
  return undefined
}

const isSame = (a: ShardAccount, b: ShardAccount): boolean =>
  a.account.equals(b.account) && a.lastTransLt === b.lastTransLt && bytesEqual(a.lastTransHash, b.lastTransHash)

const treeOf = ({ root }: ShardAccounts) => ({
  root,
  keyBits: 256,
  read: (leaf: ReturnType<typeof openCell>) => {
    readDepthBalanceInfo(leaf)
    return readShardAccount(leaf)
  },
})

/** The accounts of the shard that are not the same before and after the block. */
export const listAccountChanges = (context: BlockContext): AccountChange[] => {
  const { before, after, own } = context
  const [first, second] = before
  // The parent of a split holds the accounts of both halves, and of the two parents of a merge each holds one half.
  const differences = listDifferences(treeOf(first!.accounts), treeOf(after.accounts))
  const fromSecond = second?.accounts
  return differences
    .filter(({ key }) => holds(own, { workchain: own.workchain, prefix: BigInt(`0x${key.slice(0, 16)}`) }))
    .map(({ key, before: old, after: young }) => ({
      account: key,
      before: old ?? fromSecond?.find(fromHex(key)),
      after: young,
    }))
    .concat(listLost(fromSecond, context))
    .filter(({ before: old, after: young }) => old === undefined || young === undefined || !isSame(old, young))
}

/** Accounts of the right half before a merge that are not there after it: the comparison with the left half misses them. */
const listLost = (accounts: ShardAccounts | undefined, { after }: BlockContext): AccountChange[] => {
  const lost: AccountChange[] = []
  accounts?.forEach((id, entry) => {
    if (after.accounts.find(id) === undefined) lost.push({ account: toHex(id), before: entry, after: undefined })
  })
  return lost
}
