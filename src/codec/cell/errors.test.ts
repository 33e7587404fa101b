import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodedError } from '../../primitives/errors.ts'
import { BocError, CellError, ProofError, PrunedBranchError } from './errors.ts'

const cases: readonly (readonly [CodedError, string, string])[] = [
  [new CellError('x'), 'CellError', 'invalid_cell'],
  [new BocError('x'), 'BocError', 'invalid_boc'],
  [new ProofError('x'), 'ProofError', 'invalid_proof'],
  [new PrunedBranchError(), 'PrunedBranchError', 'proof_incomplete'],
]

for (const [error, name, code] of cases) {
  test(`${name} has the code ${code} and is not worth another try`, () => {
    assert.ok(error instanceof CodedError)
    assert.deepEqual([error.name, error.code, error.retryable], [name, code, false])
  })
}
