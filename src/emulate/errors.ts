import { CodedError } from '../primitives/errors.ts'
import type { RefusedRun } from './emulate.ts'

/** A request for an emulation that makes no sense. */
export class EmulateRequestError extends CodedError {
  readonly code = 'invalid_request'
}

/** A contract did not accept an external message. */
export class NotAcceptedError extends CodedError {
  readonly code = 'not_accepted'
  /** `undefined` if the contract did not run. */
  readonly exitCode: number | undefined
  readonly run: RefusedRun

  constructor(run: RefusedRun) {
    const { exitCode } = run
    super(`failed to emulate shard block: EmulationExternalNotAccepted: ${exitCode ?? 'the contract did not run'}`)
    this.exitCode = exitCode
    this.run = run
  }
}

/** An external message cannot be written for this account. */
export class UnsupportedWalletError extends CodedError {
  readonly code = 'unsupported_wallet'
}

/** No node has the state after this block any more. */
export class StateNotKeptError extends CodedError {
  readonly code = 'state_not_kept'
}

/** There is no such masterchain block yet. */
export class BlockTooNewError extends CodedError {
  readonly code = 'block_not_found'
  constructor() {
    super('mc block seqno is too new')
  }
}

/** The time of the request is up. */
export class EmulationTimeoutError extends CodedError {
  readonly code = 'deadline_exceeded'
  constructor(timeoutMs: number) {
    super(`failed to receive result from emulator channel: the emulation took longer than ${timeoutMs} ms`)
  }
}
