import type { BlockId } from '../../primitives/BlockId.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import type { FoundTransaction } from './FoundTransaction.ts'
import { AccountPacker, type PackedAccounts } from './PackedAccounts.ts'

/** The accounts of a unit, each after its last transaction, in the order of those. `transactions` are by lt. */
export const packTouchedAccounts = (transactions: readonly FoundTransaction[], hashes: Uint8Array): PackedAccounts => {
  const last = listLast(transactions)
  const packer = new AccountPacker(last.length)
  for (const k of last) {
    const transaction = transactions[k]!
    packer.add(transaction, transaction.after!, hashes.subarray(32 * k, 32 * k + 32))
  }
  return packer.take()
}

/** The last transaction of each account. Of those of one block, only the last has what it left. */
const listLast = (transactions: readonly FoundTransaction[]): readonly number[] => {
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
  return [...last.values()]
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
