import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { unwrapMerkleProof, wrapMerkleProof } from '../cell/merkleProof.ts'
import { pruneCell, withChildren } from '../cell/prune.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { type BlockInfo, openBlockInfo, openPrevRef, prevRefCell, writeBlockInfo } from './BlockInfo.ts'
import type { ExtBlkRef } from './ExtBlkRef.ts'

const ref = (seqno: number): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1_000_000n,
  seqno,
  rootHash: filled(seqno),
  fileHash: filled(seqno + 100),
})

const coreRef = (seqno: number): Builder =>
  beginCell()
    .storeUint(seqno * 1_000_000, 64)
    .storeUint(seqno, 32)
    .storeBuffer(Buffer.from(filled(seqno)))
    .storeBuffer(Buffer.from(filled(seqno + 100)))

type Parts = { readonly version?: number; readonly bits: string; readonly flags: number; readonly prefix?: string }

/** The fields up to prev_key_block_seqno, laid out here a second time. */
const coreHead = ({ version = 0, bits, flags, prefix = '' }: Parts): Builder => {
  const b = beginCell().storeUint(0x9bc7a987, 32).storeUint(version, 32)
  for (const bit of bits.replaceAll(' ', '')) b.storeBit(bit === '1')
  b.storeUint(flags, 8).storeUint(8, 32).storeUint(1, 32)
  b.storeUint(0, 2)
    .storeUint(prefix.length, 6)
    .storeInt(prefix === '' ? -1 : 0, 32)
  b.storeUint(BigInt(`0b${prefix.padEnd(64, '0')}`), 64)
  b.storeUint(1_700_000_001, 32).storeUint(8_000_000, 64).storeUint(8_000_009, 64)
  return b.storeUint(0xfedcba98, 32).storeUint(12, 32).storeUint(6, 32).storeUint(5, 32)
}

const master: BlockInfo = {
  version: 0,
  afterMerge: false,
  beforeSplit: false,
  afterSplit: false,
  wantSplit: false,
  wantMerge: true,
  keyBlock: true,
  seqno: 8,
  vertSeqno: 1,
  workchain: -1,
  shard: 0x8000_0000_0000_0000n,
  genUtime: 1_700_000_001,
  startLt: 8_000_000n,
  endLt: 8_000_009n,
  genValidatorListHashShort: 0xfedcba98,
  genCatchainSeqno: 12,
  minRefMcSeqno: 6,
  prevKeyBlockSeqno: 5,
  genSoftware: undefined,
  masterRef: undefined,
  prevRef: prevRefCell([ref(7)]),
  prevVertRef: undefined,
}
const software = { version: 13, capabilities: 1006n }
const merged: BlockInfo = {
  ...master,
  afterMerge: true,
  wantMerge: false,
  keyBlock: false,
  workchain: 0,
  shard: 0xa000_0000_0000_0000n,
  genSoftware: software,
  masterRef: ref(6),
  prevRef: prevRefCell([ref(7), ref(5)]),
}
const hardfork: BlockInfo = { ...master, genSoftware: software, prevVertRef: ref(9) }

const coreSoftware = beginCell().storeUint(0xc4, 8).storeUint(13, 32).storeUint(1006, 64)

const check = (info: BlockInfo, core: Builder): void => {
  const cell = writeWhole(writeBlockInfo, info)
  assert.equal(toHex(cell.hash()), core.endCell().hash().toString('hex'))
  const { prevRef, ...rest } = openBlockInfo(cell)
  const { prevRef: expected, ...expectedRest } = info
  assert.deepEqual(rest, expectedRest)
  assert.ok(prevRef.equals(expected))
}

test('headers of every shape are laid out as in the schema', () => {
  check(master, coreHead({ bits: '0000 0110', flags: 0 }).storeRef(coreRef(7)))
  const both = beginCell().storeRef(coreRef(7)).storeRef(coreRef(5))
  const mergedHead = coreHead({ bits: '1100 0000', flags: 1, prefix: '10' }).storeBuilder(coreSoftware)
  check(merged, mergedHead.storeRef(coreRef(6)).storeRef(both))
  const hardforkHead = coreHead({ bits: '0000 0111', flags: 1 }).storeBuilder(coreSoftware)
  check(hardfork, hardforkHead.storeRef(coreRef(7)).storeRef(coreRef(9)))
})

test('each flag has its own bit', () => {
  const flags = ['afterMerge', 'beforeSplit', 'afterSplit', 'wantSplit', 'wantMerge', 'keyBlock'] as const
  const none: BlockInfo = { ...master, wantMerge: false, keyBlock: false }
  flags.forEach((flag, k) => {
    const bits = '0'
      .repeat(k + 1)
      .padEnd(k + 2, '1')
      .padEnd(8, '0')
    const core = coreHead({ bits, flags: 0 }).storeRef(coreRef(7)).endCell()
    assert.equal(toHex(writeWhole(writeBlockInfo, { ...none, [flag]: true }).hash()), core.hash().toString('hex'), flag)
  })
})

test('the previous blocks are one, or after a merge two', () => {
  assert.deepEqual(openPrevRef(master), [ref(7)])
  assert.deepEqual(openPrevRef(merged), [ref(7), ref(5)])
  assert.throws(() => openPrevRef({ ...master, afterMerge: true }), CellError)
  assert.throws(() => openPrevRef({ ...merged, afterMerge: false }), CellError)
})

test('a version, flags or content that nobody knows are refused', () => {
  const open = (core: Builder): BlockInfo => openBlockInfo(fromCoreCell(core.endCell()))
  const bits = '0000 0000'
  assert.throws(
    () => open(coreHead({ version: 1, bits, flags: 0 }).storeRef(coreRef(7))),
    new CellError('A block header of version 0 was expected, version 1 came.'),
  )
  assert.throws(
    () => open(coreHead({ bits, flags: 2 }).storeRef(coreRef(7))),
    new CellError('The flags of a block header are 0 or 1, 2 came.'),
  )
  assert.throws(() => open(coreHead({ bits, flags: 0 })), CellError)
  assert.throws(() => open(coreHead({ bits, flags: 0 }).storeRef(coreRef(7)).storeBit(1)), CellError)
  assert.throws(() => open(coreHead({ bits, flags: 0 }).storeRef(coreRef(7)).storeRef(coreRef(6))), CellError)
  assert.throws(() => open(coreHead({ bits: '1000 0000', flags: 0 }).storeRef(coreRef(6))), CellError)
})

test('a header whose previous blocks are pruned, as in the proof of a state after a merge, can be read', () => {
  const whole = writeWhole(writeBlockInfo, merged)
  const children: Cell[] = [whole.ref(0), pruneCell(whole.ref(1), 0)]
  const inner = unwrapMerkleProof(wrapMerkleProof(withChildren(whole, children)), whole.hash())
  const info = openBlockInfo(inner)
  assert.deepEqual([info.seqno, info.endLt, info.masterRef], [8, 8_000_009n, ref(6)])
  assert.throws(() => openPrevRef(info), PrunedBranchError)
})
