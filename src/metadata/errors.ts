import { CodedError } from '../primitives/errors.ts'

type MetadataErrorCode = 'metadata_refused' | 'metadata_unavailable' | 'metadata_unusable'

/** Why nothing is known of what a token's content leads to. */
export abstract class MetadataError extends CodedError {
  abstract override readonly code: MetadataErrorCode
}

/** The content leads where we do not go: a scheme, a port or an address that is not allowed. */
export class MetadataRefusedError extends MetadataError {
  readonly code = 'metadata_refused'
}

export type Unavailable = {
  /** Whether the whole host is in trouble, rather than this one document missing. */
  readonly hostFailed: boolean
  /** How long the host asks to be left alone. */
  readonly retryAfterMs?: number | undefined
}

/** The document could not be had this time. */
export class MetadataUnavailableError extends MetadataError {
  readonly code = 'metadata_unavailable'
  override readonly retryable = true
  readonly hostFailed: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, { hostFailed, retryAfterMs }: Unavailable, options?: ErrorOptions) {
    super(message, options)
    this.hostFailed = hostFailed
    this.retryAfterMs = retryAfterMs
  }
}

/** What came is too long, or of another kind, or not JSON. */
export class MetadataUnusableError extends MetadataError {
  readonly code = 'metadata_unusable'
}
