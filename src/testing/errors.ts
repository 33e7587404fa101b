import { CodedError } from '../primitives/errors.ts'

/** A get-method ended with an error. */
export class GetMethodError extends CodedError {
  readonly code = 'get_method_failed'
  readonly exitCode: number
  readonly gasUsed: bigint
  /** Instructions, where they were asked for. */
  readonly logs: string | undefined

  constructor(exitCode: number, gasUsed: bigint, logs?: string) {
    // Tests look for these words: other providers have them, too.
    super(`Unable to execute get method. Got exit_code: ${exitCode}`)
    this.exitCode = exitCode
    this.gasUsed = gasUsed
    this.logs = logs
  }
}

/** The trace of a message did not end in the blocks, or in the time, that it was followed. */
export class TraceUnfinishedError extends CodedError {
  readonly code = 'trace_unfinished'
}
