import { type BlockId, formatBlockId } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'

/** A block is not what blocks are. The bytes are those that the network agreed on, so another try does not help. */
export class BlockUndecodableError extends CodedError {
  readonly code = 'block_undecodable'

  readonly block: BlockId
  readonly reason: string

  constructor(block: BlockId, reason: string, options?: ErrorOptions) {
    super(`Block ${formatBlockId(block)} cannot be decoded: ${reason}`, options)
    this.block = block
    this.reason = reason
  }
}

/** A thread for decoding ended or could not be started; the unit that it had is to be given again. */
export class DecoderCrashedError extends CodedError {
  readonly code = 'decoder_crashed'
  override readonly retryable = true
}

/** More units were given than may wait. */
export class DecoderBusyError extends CodedError {
  readonly code = 'decoder_busy'
  override readonly retryable = true
}

export class DecoderClosedError extends CodedError {
  readonly code = 'decoder_closed'
}
