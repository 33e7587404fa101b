import { CodedError } from '../../../primitives/errors.ts'

/** A domain was changed of which nothing is known. */
export class UnknownDomainError extends CodedError {
  readonly code = 'unknown_domain'
  constructor(item: string | undefined) {
    super(`A record of ${item ?? 'a domain'} was changed, which is not known as an item.`)
  }
}
