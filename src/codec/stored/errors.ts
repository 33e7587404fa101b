import { CodedError } from '../../primitives/CodedError.ts'

/** Bytes of the store are not the cells that they should be. */
export class PackedCellError extends CodedError {
  readonly code = 'invalid_packed_cell'
}
