import { CodedError } from '../primitives/errors.ts'

type VmErrorCode = 'vm_busy' | 'vm_closed' | 'vm_crashed' | 'vm_input_invalid' | 'vm_result_too_large' | 'vm_timeout'

/** A run of the virtual machine did not take place or did not end. Whatever the contract itself does is a result, no error. */
abstract class VmError extends CodedError {
  abstract override readonly code: VmErrorCode
}

/** Too many runs are waiting already. */
export class VmBusyError extends VmError {
  readonly code = 'vm_busy'
  override readonly retryable = true
}

/** The virtual machine was closed before or during the run. */
export class VmClosedError extends VmError {
  readonly code = 'vm_closed'
}

/** The machine broke down under this run, or could not be started for it. */
export class VmCrashedError extends VmError {
  readonly code = 'vm_crashed'
}

/** No thread could be started. That says nothing of what was to be run. */
export class VmNotStartedError extends VmCrashedError {
  override readonly retryable = true
}

/** What was to be run is not something that can be run: a malformed account, message or configuration. */
export class VmInputError extends VmError {
  readonly code = 'vm_input_invalid'
}

/** The contract ended well, but with more on its stack than can be handed back. */
export class VmResultError extends VmError {
  readonly code = 'vm_result_too_large'
}

/** The run took longer than it may, and was ended. */
export class VmTimeoutError extends VmError {
  readonly code = 'vm_timeout'
}
