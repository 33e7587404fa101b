import { CodedError } from '../../primitives/errors.ts'

/** A chain cannot be taken up: a block is missing, or one is not what its id, its neighbours or its state say. */
export class ChainDataError extends CodedError {
  readonly code = 'invalid_chain_data'
}
