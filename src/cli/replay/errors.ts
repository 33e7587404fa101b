import { CodedError } from '../../primitives/errors.ts'

/** A folder does not hold what a chain can be replayed from. */
export class RecordedFilesError extends CodedError {
  readonly code = 'invalid_recorded_files'
}
