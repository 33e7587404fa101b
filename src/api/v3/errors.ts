import { CodedError } from '../../primitives/errors.ts'

/** What was asked for is not in the index. */
export class NotIndexedError extends CodedError {
  readonly code = 'not_indexed'
}

/** A caller left out what an old endpoint has always answered with this status for. */
export class MissingArgumentError extends CodedError {
  readonly code = 'unauthorized'
}

/** The account is known, and no wallet. */
export class NotAWalletError extends CodedError {
  readonly code = 'not_a_wallet'
  constructor() {
    super('not a wallet')
  }
}

/** This server has no network to ask. */
export class NoLiveInterfaceError extends CodedError {
  readonly code = 'live_interface_missing'
  constructor() {
    super('This server has no node to ask: it was started with an index alone.')
  }
}

/** Nothing has been indexed yet. */
export class IndexEmptyError extends CodedError {
  readonly code = 'index_empty'
  constructor() {
    super('no masterchain block is indexed yet')
  }
}
