import { CodedError } from '../../primitives/errors.ts'

/** A source does not have a block that it should have, or not yet. */
export class UnitUnavailableError extends CodedError {
  readonly code = 'unit_unavailable'
  override readonly retryable = true
}

/** What a source gave contradicts its id, its hash or its neighbours. Another try may find it mended, or another server. */
export class SourceAnswerError extends CodedError {
  readonly code = 'source_answer_invalid'
  override readonly retryable = true
}

/** A source did not answer in time. */
export class SourceTimeoutError extends CodedError {
  readonly code = 'source_timeout'
  override readonly retryable = true
}

/** An account that came is not the one that its last transaction led to. */
export class StateMismatchError extends CodedError {
  readonly code = 'state_mismatch'
  override readonly retryable = true
}

/** The states of the chain could not be made or had. */
export class StatesUnavailableError extends CodedError {
  readonly code = 'states_unavailable'
  override readonly retryable = true
}

/** The states that are kept begin later than the block asked for: there is no way to make older ones. */
export class StatesMissingError extends CodedError {
  readonly code = 'states_missing'
}
