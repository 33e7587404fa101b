import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hex, readRows } from '../../../test/support/decodedRows.ts'
import { haveFixtures } from '../../../test/support/fixtures.ts'
import {
  listLocalnetBlockSets,
  listMainnetBlockSets,
  readLocalnetIndex,
  readMainnetIndex,
} from '../../../test/support/rawBlockSets.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatShard, fromSignedShard } from '../../primitives/shard.ts'
import { decodeHeaderBits, previousShards } from '../../store/schema/codes.ts'
import { decodeBlockSet } from './decodeBlockSet.ts'

test('every block of the recorded network', () => {
  const { blocks, masterchain_shards } = readLocalnetIndex()
  const recorded = new Map(blocks.map((block) => [block.root_hash, block]))
  const digests = new Set<string>()
  let count = 0
  for (const raw of listLocalnetBlockSets()) {
    const blockSet = decodeBlockSet(raw)
    digests.add(toHex(blockSet.digest))
    assert.equal(blockSet.genUtime, blockSet.blocks[0]!.gen_utime)
    for (const [k, row] of blockSet.blocks.entries()) {
      const block = recorded.get(toHex(row.root_hash))! as (typeof blocks)[number] & Readonly<Record<string, unknown>>
      const bits = decodeHeaderBits(row.header_bits)
      const shard = fromSignedShard(row.shard)
      assert.deepEqual(
        [row.workchain, formatShard(shard), row.seqno, row.mc_seqno, row.tx_count, row.gen_utime, row.global_id],
        [block.workchain, block.shard, block.seqno, block.masterchain_seqno, block.tx_count, block.gen_utime, -777],
      )
      assert.deepEqual([String(row.start_lt), String(row.end_lt)], [block.start_lt, block.end_lt])
      assert.deepEqual(
        [bits.keyBlock, bits.afterMerge, bits.afterSplit, bits.beforeSplit, bits.wantMerge, bits.wantSplit],
        ['key_block', 'after_merge', 'after_split', 'before_split', 'want_merge', 'want_split'].map(
          (name) => block[name],
        ),
      )
      const previous = previousShards(shard, bits).map(
        (each, n) => `${row.workchain}_${formatShard(each)}_${row.prev_seqnos[n]}`,
      )
      assert.deepEqual(previous, block.prev)
      assert.deepEqual(
        blockSet.previousBlocks[k]!.map((id) => `${id.workchain}_${formatShard(id.shard)}_${id.seqno}`),
        block.prev,
      )
      count++
    }
    const tops = blockSet.shardTops.map(
      (top) => `${top.workchain}_${formatShard(fromSignedShard(top.shard))}_${top.seqno}`,
    )
    assert.deepEqual(
      tops,
      masterchain_shards[blockSet.seqno]!.filter((name) => !name.endsWith('_0')),
    )
  }
  assert.equal(count, blocks.length)
  assert.equal(digests.size, 400)
})

test('blocks of public networks, with as many transactions as they are known to have', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks/index.json')) return
  const index = readMainnetIndex()
  let blocks = 0
  let transactions = 0
  for (const network of new Set(index.map((block) => block.network))) {
    for (const raw of listMainnetBlockSets(network)) {
      const blockSet = decodeBlockSet(raw)
      const found = readRows(blockSet)
      for (const row of blockSet.blocks) {
        const known = index.find((block) => block.network === network && block.root_hash === toHex(row.root_hash))!
        assert.equal(row.tx_count, known.computed.tx_count)
        const hashes = found
          .filter((tx) => tx.row['block_shard'] === row.shard && tx.row['block_seqno'] === row.seqno)
          .filter((tx) => ((tx.row['account'] as Uint8Array)[0]! << 24) >> 24 === row.workchain)
          .map((tx) => hex(tx.row['hash']!)!)
          .sort()
        if (known.transactions_digest === undefined) {
          assert.deepEqual(hashes, known.transactions!.map(([, , hash]) => hash).sort())
        } else assert.equal(toHex(sha256(Buffer.from(hashes.join('\n')))), known.transactions_digest)
        blocks++
        transactions += hashes.length
      }
      for (const { row, sent } of found) {
        for (const [k, message] of sent.entries()) {
          assert.equal(message['created_lt'], (row['lt'] as bigint) + 1n + BigInt(k))
        }
      }
    }
  }
  assert.equal(blocks, index.length)
  t.diagnostic(`${blocks} blocks, ${transactions} transactions`)
})

test('the hashes that blocks state are those of their transactions', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks/index.json')) return
  const networks = new Set(readMainnetIndex().map(({ network }) => network))
  let count = 0
  for (const raw of [...listLocalnetBlockSets(), ...[...networks].flatMap(listMainnetBlockSets)]) {
    const { transactions, digest } = decodeBlockSet(raw)
    const anew = decodeBlockSet(raw, { hashesAnew: true })
    assert.deepEqual(transactions.hashes, anew.transactions.hashes)
    assert.deepEqual(digest, anew.digest)
    count += transactions.count
  }
  t.diagnostic(`${count} transactions`)
})
