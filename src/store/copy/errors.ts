import { CodedError } from '../../primitives/errors.ts'

/** A value does not fit the column that it is for. */
export class RowValueError extends CodedError {
  readonly code = 'row_value_invalid'
}
