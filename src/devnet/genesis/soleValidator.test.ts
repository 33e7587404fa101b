import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { validatorListHash } from '../../node/proofs/validatorSets.ts'
import { soleValidator, soleValidatorHash } from './soleValidator.ts'

test('the checksum is the one that clients compute, with an ADNL address and without', () => {
  for (const seqno of [0, 1, 0xffff_ffff]) {
    const validator = soleValidator(filled(seqno & 0xff))
    assert.equal(validator.adnlAddress?.length, 32)
    for (const node of [validator, { ...validator, adnlAddress: undefined }]) {
      assert.equal(soleValidatorHash(node, seqno), validatorListHash([node], seqno))
    }
  }
})
