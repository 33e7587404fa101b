import { openAccountBlocks } from '../../codec/tlb/Block.ts'
import type { ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { leavesNone, readAccountAfter } from './accountAfter.ts'
import { type BlockParts, openAccountsAfter } from './BlockParts.ts'
import { type FoundTransaction, readFoundTransaction } from './FoundTransaction.ts'
import type { WatchedAccounts } from './WatchedAccounts.ts'

/**
 * Adds the transactions of a block by account, then lt; the last of each account with what it left. Those of accounts that are not
 * watched are left out. Each has the hash that the block states for it, where it does. Returns how many the block has in all.
 */
export const findTransactions = (
  block: BlockParts,
  found: FoundTransaction[],
  watched: WatchedAccounts | undefined,
): number => {
  const { workchain } = block.id
  // A block that changes no account does not show any.
  let accounts: ShardAccounts | undefined
  let count = 0
  const getAccounts = (): ShardAccounts => {
    accounts ??= openAccountsAfter(block)
    return accounts
  }
  openAccountBlocks(block.extra).forEach((id, { transactions }) => {
    const account = addressKeyOf({ workchain, hash: id })
    const isKept = watched === undefined || watched.has(account)
    let last: FoundTransaction | undefined
    transactions.forEach((_lt, cell) => {
      count++
      if (!isKept) return
      const next = readFoundTransaction(block, account, cell)
      if (last !== undefined && next.prevLt === last.lt) last.statedHash = next.prevHash
      last = next
      found.push(next)
    })
    if (last !== undefined) addAfter(last, id, getAccounts)
  })
  return count
}

/** Adds what the state after a block shows of the account of its last transaction there. */
const addAfter = (last: FoundTransaction, id: Uint8Array, getAccounts: () => ShardAccounts): void => {
  // Where there was no account before either, the block does not show its place.
  const shown = leavesNone(last.stateAfter) ? undefined : getAccounts().find(id)
  last.after = readAccountAfter(shown?.account, last.stateAfter)
  if (shown?.lastTransLt === last.lt) last.statedHash = shown.lastTransHash
}

/** By lt, then account: who sends comes before who receives, and equal units are in equal order. */
export const compareTransactions = (a: FoundTransaction, b: FoundTransaction): number => {
  // As numbers they compare faster; those that are equal as numbers may still differ.
  if (a.ltNumber !== b.ltNumber) return a.ltNumber - b.ltNumber
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  return a.block.id.workchain - b.block.id.workchain || compareBytes(a.account, b.account)
}
