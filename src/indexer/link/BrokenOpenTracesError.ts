import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { OpenMessage } from '../OpenTraces.ts'

/** The stored state of the assembly contradicts itself. */
export class BrokenOpenTracesError extends CodedError {
  readonly code = 'broken_open_traces'

  constructor({ hash, traceId }: OpenMessage) {
    super(
      `Expected an open trace for every message under way, but there is none with the id ${toHex(traceId)}, which the message ${toHex(hash)} names`,
    )
  }
}
