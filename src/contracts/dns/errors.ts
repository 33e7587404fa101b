import { CodedError } from '../../primitives/CodedError.ts'

/** A resolver of domain names did not answer as resolvers do. */
export class DnsError extends CodedError {
  readonly code = 'dns_failed'
}

/** It did not answer at all: the get-method failed, or there is none. */
export class ResolverFailedError extends DnsError {}
