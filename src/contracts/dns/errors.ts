import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'

/** A resolver of domain names did not answer as resolvers do. */
export class DnsError extends CodedError {
  readonly code = 'dns_failed'
}

/** It did not answer at all: the get-method failed, or there is none. */
export class ResolverFailedError extends DnsError {}

/** There is no contract to answer. */
export class ResolverMissingError extends ResolverFailedError {
  readonly resolver: Address

  constructor(resolver: Address) {
    super(`There is no resolver at ${formatRawAddress(resolver)}: no contract is there.`)
    this.resolver = resolver
  }
}
