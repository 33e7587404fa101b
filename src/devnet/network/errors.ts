import { CodedError } from '../../primitives/errors.ts'

/** A developer's wish that is outside of what the network takes. */
export class ControlInputError extends CodedError {
  readonly code = 'dev_input_invalid'
}

/** There is no snapshot of that name, or a revert to an earlier one took it away. */
export class SnapshotNotFoundError extends CodedError {
  readonly code = 'dev_snapshot_not_found'
}

/** No block that is kept holds the transaction. */
export class TransactionNotFoundError extends CodedError {
  readonly code = 'dev_transaction_not_found'
}

/** The run cannot be repeated: what it began from is no longer kept, or something other than a transaction changed it. */
export class TransactionRunError extends CodedError {
  readonly code = 'dev_transaction_not_repeatable'
}

/** The network could not make a block. What was asked for is undone as far as it was not done. */
export class StepFailedError extends CodedError {
  readonly code = 'dev_step_failed'
}

/** The network is closing or closed. */
export class NetworkClosedError extends CodedError {
  readonly code = 'dev_network_closed'
}

/** The data folder holds a network that is not the one asked for, or cannot be used. */
export class NetworkFolderError extends CodedError {
  readonly code = 'dev_folder_mismatch'
}
