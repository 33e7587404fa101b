import { CodedError } from '../../primitives/errors.ts'

type CommitErrorCode = 'batch_out_of_place' | 'chain_broken' | 'index_state_stale' | 'other_accounts' | 'other_network'

/** What was to be written does not go with what is there. Nothing of it was written. */
abstract class CommitError extends CodedError {
  abstract override readonly code: CommitErrorCode
}

/** A batch does not lie where it was said to, or blocks of it are there already. */
export class BatchOutOfPlaceError extends CommitError {
  readonly code = 'batch_out_of_place'
}

/** A block does not follow the one before it. */
export class BrokenChainError extends CommitError {
  readonly code = 'chain_broken'
}

/** The rows are not those that the batch was made for. Whoever made it has to load the state of the index anew. */
export class StaleIndexError extends CommitError {
  readonly code = 'index_state_stale'
}

/** The database is an index of something else. */
export class OtherNetworkError extends CommitError {
  readonly code = 'other_network'
}

/** The database holds other accounts than those that are to be watched. */
export class OtherAccountsError extends CommitError {
  readonly code = 'other_accounts'
}
