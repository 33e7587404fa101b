import { CodedError } from '../../primitives/errors.ts'

/** Invalid input of a control. */
export class ControlInputError extends CodedError {
  readonly code = 'dev_input_invalid'
}

/** The snapshot does not exist, or a revert to an earlier one dropped it. */
export class SnapshotNotFoundError extends CodedError {
  readonly code = 'dev_snapshot_not_found'
}

/** No stored block contains the transaction. */
export class TransactionNotFoundError extends CodedError {
  readonly code = 'dev_transaction_not_found'
}

/** The transaction cannot be re-run: its initial state is no longer stored, or a control changed it. */
export class TransactionRunError extends CodedError {
  readonly code = 'dev_transaction_not_repeatable'
}

/** Block production failed. The request was not carried out. */
export class StepFailedError extends CodedError {
  readonly code = 'dev_step_failed'
}

/** The network is closing or closed. */
export class NetworkClosedError extends CodedError {
  readonly code = 'dev_network_closed'
}

/** The data folder contains another network, or an unusable one. */
export class NetworkFolderError extends CodedError {
  readonly code = 'dev_folder_mismatch'
}
