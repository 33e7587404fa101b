import assert from 'node:assert/strict'
import type { DecodedBlockSet } from '../../src/indexer/blockSets.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { tables } from '../../src/store/schema/tables.ts'
import { type CopiedRow, readCopiedRows } from './copyRows.ts'

export const hex = (value: CopiedRow[string]): string | null => (value === null ? null : toHex(value as Uint8Array))

/** The rows of a block set, and what its columns say, which must be the same. */
export const readRows = (blockSet: DecodedBlockSet) => {
  const { transactions, messages } = blockSet
  const rows = readCopiedRows(tables.transactions, transactions.rows)
  const sent = readCopiedRows(tables.unreceived_messages, messages.rows)
  assert.deepEqual([rows.length, sent.length], [transactions.count, messages.count])
  for (const [k, row] of rows.entries()) {
    const slice = (bytes: Uint8Array, size: number): string => toHex(bytes.subarray(size * k, size * k + size))
    assert.equal(transactions.lts[k], row['lt'])
    assert.equal(transactions.nows[k], row['now'])
    assert.equal(slice(transactions.hashes, 32), hex(row['hash']!))
    assert.equal(slice(transactions.accounts, 33), hex(row['account']!))
    assert.equal(transactions.inKinds[k], (row['in_bits'] as number) & 7)
    assert.equal(slice(transactions.inHashes, 32), hex(row['in_hash']!) ?? '00'.repeat(32))
    assert.equal(slice(transactions.inNormalHashes, 32), hex(row['in_hash_norm']!) ?? '00'.repeat(32))
    assert.equal(transactions.outStarts[k + 1]! - transactions.outStarts[k]!, row['out_count'])
    assert.deepEqual([row['mc_seqno'], row['large'], hex(row['trace_id']!)], [blockSet.seqno, null, '00'.repeat(32)])
  }
  for (const [k, row] of sent.entries()) {
    assert.equal(messages.lts[k], row['created_lt'])
    assert.equal(toHex(messages.hashes.subarray(32 * k, 32 * k + 32)), hex(row['hash']!))
    assert.equal(messages.kinds[k], (row['bits'] as number) & 7)
    assert.deepEqual([row['mc_seqno'], row['large'], hex(row['trace_id']!)], [blockSet.seqno, null, '00'.repeat(32)])
  }
  return rows.map((row, k) => ({ row, sent: sent.slice(transactions.outStarts[k], transactions.outStarts[k + 1]) }))
}
