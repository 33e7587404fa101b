import assert from 'node:assert/strict'
import { ProofFailedError } from '../../src/chain/errors.ts'

/** A check must refuse what it is given, and say what it was that failed. */
export const assertRefused = (run: () => unknown, message: RegExp): void => {
  assert.throws(run, (error) => {
    assert.ok(error instanceof ProofFailedError, `expected a ProofFailedError, got ${error}`)
    assert.equal(error.code, 'proof_failed')
    assert.match(error.message, message)
    return true
  })
}
