import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeShard } from '../../../primitives/shard.ts'
import { toBlockIdView } from '../views/blocks.ts'
import { toBlockSignaturesView } from './blockProofs.ts'

const filled = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte)

const block = { workchain: -1, shard: wholeShard, seqno: 7, rootHash: filled(1), fileHash: filled(2) }
const signatures = [{ nodeIdShort: filled(3), signature: filled(4, 64) }]
const shown = [
  {
    '@type': 'blocks.signature',
    node_id_short: Buffer.alloc(32, 3).toString('base64'),
    signature: Buffer.alloc(64, 4).toString('base64'),
  },
]

test('ordinary signatures stand alone', () => {
  const set = { kind: 'liteServer.signatureSet.ordinary', validatorSetHash: 1, catchainSeqno: 2, signatures } as const
  assert.deepEqual(toBlockSignaturesView(block, set), {
    '@type': 'blocks.blockSignatures',
    id: toBlockIdView(block),
    signatures: shown,
  })
})

test('signatures of the simplex consensus come with what was voted on', () => {
  const vote = { sessionId: filled(5), slot: -2, candidate: Uint8Array.of(6, 7) }
  const set = { kind: 'liteServer.signatureSet.simplex', ccSeqno: 1, validatorSetHash: 2, signatures, ...vote } as const
  assert.deepEqual(toBlockSignaturesView(block, set), {
    '@type': 'blocks.blockSignatures.simplex',
    id: toBlockIdView(block),
    signatures: shown,
    session_id: Buffer.alloc(32, 5).toString('base64'),
    slot: -2,
    candidate: 'Bgc=',
  })
})
