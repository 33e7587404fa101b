import { CodedError } from '../../primitives/CodedError.ts'

/** The virtual machine broke down. The batch is to be tried again: nothing is known of the contract yet. */
export class InspectionBrokenError extends CodedError {
  readonly code = 'inspection_broken'
  override readonly retryable = true
}
