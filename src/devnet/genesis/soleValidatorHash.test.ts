import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { validatorListHash } from '../../node/proofs/validatorListHash.ts'
import { soleValidatorHash } from './soleValidatorHash.ts'

test('the checksum is the one that clients compute', () => {
  for (const seqno of [0, 1, 0xffff_ffff]) {
    const nodes = [{ publicKey: filled(seqno & 0xff), weight: 1n, adnlAddress: undefined }]
    assert.equal(soleValidatorHash(filled(seqno & 0xff), seqno), validatorListHash(nodes, seqno))
  }
})
