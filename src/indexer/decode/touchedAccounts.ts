import type { BlockId } from '../../primitives/BlockId.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import type { TouchedAccount } from '../DecodedUnit.ts'
import type { AccountAfter } from './accountAfter.ts'
import type { ByteShelf } from './ByteShelf.ts'
import type { FoundTransaction } from './FoundTransaction.ts'

/** The accounts of a unit, each after its last transaction, in the order of those. `transactions` are by lt. */
export const listTouchedAccounts = (
  transactions: readonly FoundTransaction[],
  hashes: Uint8Array,
  shelf: ByteShelf,
): TouchedAccount[] => {
  const accounts: TouchedAccount[] = []
  for (const k of listLast(transactions)) {
    const transaction = transactions[k]!
    const hash = hashes.subarray(32 * k, 32 * k + 32)
    accounts.push(toTouchedAccount(transaction, transaction.after!, hash, shelf))
  }
  return accounts
}

/** The last transaction of each account. Of those of one block, only the last has what it left. */
const listLast = (transactions: readonly FoundTransaction[]): Iterable<number> => {
  const ofBlocks: number[] = []
  for (let k = 0; k < transactions.length; k++) if (transactions[k]!.after !== undefined) ofBlocks.push(k)
  if (haveOwnAccounts(new Set(ofBlocks.map((k) => transactions[k]!.block.id)))) return ofBlocks
  const last = new Map<string, number>()
  for (const k of ofBlocks) {
    const { account } = transactions[k]!
    const key = Buffer.from(account.buffer, account.byteOffset, account.length).toString('latin1')
    last.delete(key)
    last.set(key, k)
  }
  return last.values()
}

/** Whether no two blocks can have an account in common. Most units have one block of each shard. */
const haveOwnAccounts = (ids: ReadonlySet<BlockId>): boolean => {
  const seen: BlockId[] = []
  for (const id of ids) {
    if (seen.some((other) => haveCommonAccounts(id, other))) return false
    seen.push(id)
  }
  return true
}

const haveCommonAccounts = (a: BlockId, b: BlockId): boolean =>
  a.workchain === b.workchain &&
  (a.shard === b.shard || isShardAncestor(a.shard, b.shard) || isShardAncestor(b.shard, a.shard))

const toTouchedAccount = (
  { account, block: { id }, lt, now, stateAfter }: FoundTransaction,
  after: AccountAfter,
  hash: Uint8Array,
  shelf: ByteShelf,
): TouchedAccount => ({
  account: shelf.keep(account),
  workchain: id.workchain,
  blockShard: id.shard,
  blockSeqno: id.seqno,
  lastLt: lt,
  lastHash: shelf.keep(hash),
  now,
  stateHash: shelf.keep(stateAfter),
  status: after.status,
  balance: after.balance,
  extraCurrencies: after.extraCurrencies,
  frozenHash: keep(after.frozenHash, shelf),
  codeHash: keep(after.codeHash, shelf),
  dataHash: keep(after.dataHash, shelf),
})

const keep = (bytes: Uint8Array | undefined, shelf: ByteShelf): Uint8Array | undefined =>
  bytes === undefined ? undefined : shelf.keep(bytes)
