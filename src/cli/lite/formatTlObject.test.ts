import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTlObject } from './formatTlObject.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const id = { workchain: -1, shard: 1n << 63n, seqno: 395, rootHash: hash(0xab), fileHash: hash(0xcd) }
const shownId = {
  workchain: -1,
  shard: '8000000000000000',
  seqno: 395,
  root_hash: 'ab'.repeat(32),
  file_hash: 'cd'.repeat(32),
}

test('numbers of 64 bits are text, shards and bytes are hex, accounts are addresses', () => {
  const object = {
    kind: 'liteServer.blockTransactions',
    id,
    reqCount: 2,
    incomplete: true,
    ids: [
      {
        mode: 0x107,
        account: hash(1),
        lt: 2n ** 60n,
        hash: hash(2),
        metadata: { mode: 0, depth: 1, initiator: { workchain: 0, id: hash(3) }, initiatorLt: -1n },
      },
      { mode: 0 },
    ],
    proof: new Uint8Array(0),
  } as const
  assert.deepEqual(formatTlObject(object), {
    '@type': 'liteServer.blockTransactions',
    id: shownId,
    req_count: 2,
    incomplete: true,
    ids: [
      {
        mode: 0x107,
        account: '01'.repeat(32),
        lt: '1152921504606846976',
        hash: '02'.repeat(32),
        metadata: { mode: 0, depth: 1, initiator: `0:${'03'.repeat(32)}`, initiator_lt: '-1' },
      },
      { mode: 0 },
    ],
    proof: '',
  })
})

test('an object without fields has its type, and one of several constructors says which', () => {
  assert.deepEqual(formatTlObject({ kind: 'liteServer.getTime' }), { '@type': 'liteServer.getTime' })
  const signature = { nodeIdShort: hash(1), signature: new Uint8Array(64) }
  const step = {
    kind: 'liteServer.blockLinkForward',
    toKeyBlock: false,
    from: id,
    to: id,
    destProof: Uint8Array.of(1),
    configProof: Uint8Array.of(2, 3),
    signatures: {
      kind: 'liteServer.signatureSet.ordinary',
      validatorSetHash: -5,
      catchainSeqno: 6,
      signatures: [signature],
    },
  } as const
  const answer = { kind: 'liteServer.partialBlockProof', complete: true, from: id, to: id, steps: [step] } as const
  assert.deepEqual(formatTlObject(answer)['steps'], [
    {
      '@type': 'liteServer.blockLinkForward',
      to_key_block: false,
      from: shownId,
      to: shownId,
      dest_proof: '01',
      config_proof: '0203',
      signatures: {
        '@type': 'liteServer.signatureSet.ordinary',
        validator_set_hash: -5,
        catchain_seqno: 6,
        signatures: [{ node_id_short: '01'.repeat(32), signature: '00'.repeat(64) }],
      },
    },
  ])
})
