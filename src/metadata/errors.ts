import { CodedError } from '../primitives/errors.ts'

type MetadataErrorCode = 'metadata_refused' | 'metadata_unavailable' | 'metadata_unusable'

/** Why the off-chain document of a token is not available. */
export abstract class MetadataError extends CodedError {
  abstract override readonly code: MetadataErrorCode
}

/** The URL is not allowed: scheme, port or address. */
export class MetadataRefusedError extends MetadataError {
  readonly code = 'metadata_refused'
}

export type Unavailable = {
  /** Whether the host failed, rather than this document. */
  readonly hostFailed: boolean
  /** Retry-After of the host. */
  readonly retryAfterMs?: number | undefined
}

/** The document could not be fetched; retryable. */
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

/** The document is too long, of a wrong type, or not JSON. */
export class MetadataUnusableError extends MetadataError {
  readonly code = 'metadata_unusable'
}
