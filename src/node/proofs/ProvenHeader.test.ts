import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { pruneCell } from '../../codec/cell/merkle.ts'
import { type BlockInfo, type ExtBlkRef, type PrevBlocks, prevRefCell } from '../../codec/tlb/BlockInfo.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { prevBlockIds } from './ProvenHeader.ts'

const ref = (seqno: number): ExtBlkRef => ({ endLt: 1n, seqno, rootHash: filled(seqno), fileHash: filled(seqno + 1) })

const LEFT = 0x4000_0000_0000_0000n

const infoOf = (prev: PrevBlocks, more: Partial<BlockInfo>): BlockInfo => ({
  version: 0,
  afterMerge: prev.length === 2,
  beforeSplit: false,
  afterSplit: false,
  wantSplit: false,
  wantMerge: false,
  keyBlock: false,
  seqno: 6,
  vertSeqno: 0,
  workchain: 0,
  shard: wholeShard,
  genUtime: 0,
  startLt: 0n,
  endLt: 0n,
  genValidatorListHashShort: 0,
  genCatchainSeqno: 0,
  minRefMcSeqno: 0,
  prevKeyBlockSeqno: 0,
  genSoftware: undefined,
  masterRef: undefined,
  prevRef: prevRefCell(prev),
  prevVertRef: undefined,
  ...more,
})

test('the same shard, its parent, or both its children', () => {
  const list = (info: BlockInfo): string[] => prevBlockIds(info).map(formatBlockId)
  assert.deepEqual(list(infoOf([ref(5)], { shard: LEFT })), ['(0,4000000000000000,5)'])
  assert.deepEqual(list(infoOf([ref(5)], { shard: LEFT, afterSplit: true })), ['(0,8000000000000000,5)'])
  const merged = infoOf([ref(3), ref(5)], {})
  assert.deepEqual(list(merged), ['(0,4000000000000000,3)', '(0,c000000000000000,5)'])
  const [left] = prevBlockIds(merged)
  assert.deepEqual([left?.rootHash, left?.fileHash], [filled(3), filled(4)])
})

test('what cannot be is refused', () => {
  const cases: [info: BlockInfo, message: RegExp][] = [
    [infoOf([ref(4)], {}), /should follow seqno 5, it names 4/],
    [infoOf([ref(5), ref(6)], {}), /should follow seqno 5, it names 6/],
    [
      infoOf([ref(3), ref(5)], { afterSplit: true }),
      /after_split = true and after_merge = true, which its shard cannot be/,
    ],
    [infoOf([ref(5)], { afterSplit: true }), /after_split = true and after_merge = false, which its shard cannot be/],
    [infoOf([ref(0)], { seqno: 1, shard: LEFT, afterSplit: true }), /zerostate was split or merged/],
    [infoOf([ref(0), ref(5)], {}), /zerostate was split or merged/],
    [infoOf([ref(5)], { afterMerge: true }), /The proof of the previous blocks failed/],
    [infoOf([ref(5)], { prevRef: pruneCell(prevRefCell([ref(5)]), 0) }), /pruned branch/],
  ]
  for (const [info, message] of cases) assertRefused(() => prevBlockIds(info), message)
})
