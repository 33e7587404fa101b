import { type BlockId, formatBlockId } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'

type DebugErrorCode =
  | 'account_not_active'
  | 'code_not_found'
  | 'forbidden'
  | 'replay_failed'
  | 'replay_file_invalid'
  | 'replay_not_kept'
  | 'source_map_invalid'
  | 'source_map_not_found'
  | 'source_maps_full'
  | 'state_not_kept'
  | 'too_many_steps'
  | 'transaction_not_found'
  | 'unsupported_kind'
  | 'vm_busy'

/** Why a transaction cannot be debugged. A transaction that comes out differently is a result, not an error. */
abstract class DebugError extends CodedError {
  abstract override readonly code: DebugErrorCode
}

/** A source map that is of no known form, or not of this code. */
export class SourceMapInvalidError extends DebugError {
  readonly code = 'source_map_invalid'
}

export class TransactionNotFoundError extends DebugError {
  readonly code = 'transaction_not_found'
}

/** No node that was asked keeps the state from which the transaction was made. */
export class StateNotKeptError extends DebugError {
  readonly code = 'state_not_kept'

  constructor(block: BlockId, what: string, options?: ErrorOptions) {
    super(
      `The nodes that were asked, archival ones included, do not keep ${what} of block ${formatBlockId(block)}: use an archival liteserver.`,
      options,
    )
  }
}

/** An earlier transaction of the account in the same block came out differently, so that the wanted one cannot be run. */
export class ReplayFailedError extends DebugError {
  readonly code = 'replay_failed'
}

/** Split and merge transactions, which no network has used so far. */
export class UnsupportedKindError extends DebugError {
  readonly code = 'unsupported_kind'
}

/** A file that should hold the inputs of a replay does not. */
export class ReplayFileError extends DebugError {
  readonly code = 'replay_file_invalid'
}

/** Steps are read of a replay that was made some minutes ago at most. */
export class ReplayNotKeptError extends DebugError {
  readonly code = 'replay_not_kept'
}

/** Too many replays are under way. */
export class DebugBusyError extends DebugError {
  readonly code = 'vm_busy'
  override readonly retryable = true
}

export class SourceMapNotFoundError extends DebugError {
  readonly code = 'source_map_not_found'
}

/** There is no room for another source map. */
export class SourceStoreFullError extends DebugError {
  readonly code = 'source_maps_full'
}

/** Another caller's source map. */
export class SourceMapForbiddenError extends DebugError {
  readonly code = 'forbidden'
}

/** Code that no index, replay or library has. */
export class CodeNotFoundError extends DebugError {
  readonly code = 'code_not_found'
}

/** An account without code has no methods. */
export class AccountNotActiveError extends DebugError {
  readonly code = 'account_not_active'
}

/** More steps with whole stacks than one answer holds. */
export class TooManyStepsError extends DebugError {
  readonly code = 'too_many_steps'
}
