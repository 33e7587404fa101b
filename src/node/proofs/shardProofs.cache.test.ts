import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerAccountState } from '../../../test/support/chainProofs.ts'
import { ProvableChain } from '../../../test/support/ProvableChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { ProofFailedError } from '../../chain/errors.ts'
import { ShardProofs } from './shardProofs.ts'

const chain = new ProvableChain()
const shard = chain.addShardBlock()
const older = chain.addMasterchainBlock()
const newer = chain.addMasterchainBlock()
const proofAt = (block: typeof newer): Uint8Array =>
  answerAccountState(block, shard, { workchain: 0, id: filled(0x20) }).shardProof

test('the same bytes are checked once for each block', () => {
  const proofs = new ShardProofs()
  const bytes = proofAt(newer)
  const first = proofs.open(newer.id, bytes)
  assert.deepEqual(first.header.id, newer.id)
  assert.equal(proofs.open(newer.id, bytes.slice()), first)
  assert.throws(() => proofs.open(older.id, bytes), ProofFailedError)
  assert.notEqual(proofs.open(older.id, proofAt(older)), first)
  assert.equal(proofs.open(newer.id, bytes), first)
})

test('bytes that differ anywhere are checked, whatever was checked before', () => {
  const proofs = new ShardProofs()
  const bytes = proofAt(newer)
  proofs.open(newer.id, bytes)
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice()
    changed[at]! ^= 1
    assert.throws(() => proofs.open(newer.id, changed), ProofFailedError, `byte ${at}`)
  }
  assert.throws(() => proofs.open({ ...newer.id, rootHash: filled(1) }, bytes), ProofFailedError)
})

test('bytes of the caller that change later do no harm', () => {
  const proofs = new ShardProofs()
  const bytes = proofAt(newer)
  const { header } = proofs.open(newer.id, bytes)
  const changed = bytes.fill(0, 100)
  assert.throws(() => proofs.open(newer.id, changed), ProofFailedError)
  assert.deepEqual(proofs.open(newer.id, proofAt(newer)).header, header)
})

test('what was not checked is not taken for checked, however the two are mixed', () => {
  const proofs = new ShardProofs()
  const claimed = { ...newer.id, rootHash: filled(1) }
  const bytes = proofAt(newer)
  assert.equal(proofs.open(claimed, bytes, true).header.id, claimed)
  assert.throws(() => proofs.open(claimed, bytes), ProofFailedError)
})

test('only so many are kept', () => {
  const proofs = new ShardProofs()
  const bytes = proofAt(newer)
  const first = proofs.open(newer.id, bytes)
  for (let k = 0; k < 16; k++) {
    const block = chain.addMasterchainBlock()
    proofs.open(block.id, proofAt(block))
  }
  assert.notEqual(proofs.open(newer.id, bytes), first)
})
