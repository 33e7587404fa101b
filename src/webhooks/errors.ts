import { CodedError } from '../primitives/errors.ts'

/** A field of an endpoint is not allowed: its URL, a header, the subscription. */
export class WebhookRefusedError extends CodedError {
  readonly code = 'webhook_refused'
}

/** The plan allows no more. */
export class WebhookLimitError extends CodedError {
  readonly code = 'webhook_limit'
}

/** There is no such endpoint or delivery of this owner. */
export class WebhookNotFoundError extends CodedError {
  readonly code = 'webhook_not_found'
}

/** The state of the endpoint or delivery, or another request, forbids it. */
export class WebhookConflictError extends CodedError {
  readonly code = 'webhook_conflict'
}

/** The events are not in the index any more. */
export class WebhookNotKeptError extends CodedError {
  readonly code = 'webhook_not_kept'
}

/** The endpoint has changed since the caller read it. */
export class PreconditionFailedError extends CodedError {
  readonly code = 'precondition_failed'
}
