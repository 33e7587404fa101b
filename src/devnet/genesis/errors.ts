import { CodedError } from '../../primitives/errors.ts'

/** A network cannot begin as it was asked to. */
export class GenesisError extends CodedError {
  readonly code = 'invalid_genesis'
}
