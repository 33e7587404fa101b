import { CodedError } from '../../primitives/errors.ts'

/** The demonstration cannot go on: the network does not do what it was asked for. */
export class DemoError extends CodedError {
  readonly code = 'demo_failed'
  override readonly retryable = true
}
