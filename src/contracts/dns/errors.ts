import { CodedError } from '../../primitives/CodedError.ts'

/** A resolver of domain names did not answer as resolvers do. */
export class DnsError extends CodedError {
  readonly code = 'dns_failed'
}
