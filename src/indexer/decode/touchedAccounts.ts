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
  const last = new Map<string, number>()
  for (const [k, { account, after }] of transactions.entries()) {
    if (after === undefined) continue
    const key = Buffer.from(account.buffer, account.byteOffset, account.length).toString('latin1')
    last.delete(key)
    last.set(key, k)
  }
  const accounts: TouchedAccount[] = []
  for (const k of last.values()) {
    const transaction = transactions[k]!
    const hash = hashes.subarray(32 * k, 32 * k + 32)
    accounts.push(toTouchedAccount(transaction, transaction.after!, hash, shelf))
  }
  return accounts
}

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
