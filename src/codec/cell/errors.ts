import { CodedError } from '../../primitives/errors.ts'

/** A cell cannot be read or built as asked: too few bits, too many, a wrong tag, a broken exotic layout. */
export class CellError extends CodedError {
  readonly code = 'invalid_cell'
}

/** The bytes are not an acceptable bag of cells. */
export class BocError extends CodedError {
  readonly code = 'invalid_boc'
}

/** A pruned branch was entered: the proof does not hold what was asked, which is never the same as "absent". */
export class PrunedBranchError extends CodedError {
  readonly code = 'proof_incomplete'

  constructor() {
    super('The cell that was asked for is a pruned branch, so this proof does not contain it.')
  }
}

/** A Merkle proof or update, or a hash stored beside a cell, contradicts the cells it speaks of. */
export class ProofError extends CodedError {
  readonly code = 'invalid_proof'
}
