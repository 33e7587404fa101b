import { type BlockId, formatBlockId } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'

/** Every way in which a query about the chain may fail. The interfaces map each to wire numbers in one table. */
export type ErrorCode =
  | 'block_not_found'
  | 'node_answer_invalid'
  | 'node_refused'
  | 'node_timeout'
  | 'node_unavailable'
  | 'proof_failed'

/** A failure in terms of the chain and the nodes that serve it. */
export abstract class ChainError extends CodedError {
  abstract override readonly code: ErrorCode
}

export class BlockNotFoundError extends ChainError {
  readonly code = 'block_not_found'
  readonly blockId: BlockId

  constructor(blockId: BlockId, options?: ErrorOptions) {
    super(`Block ${formatBlockId(blockId)} was not found.`, options)
    this.blockId = blockId
  }
}

/** A server cannot be reached, or none is left that could answer. */
export class NodeUnavailableError extends ChainError {
  readonly code = 'node_unavailable'
  override readonly retryable = true
  /** Only servers with the whole history were of use. */
  readonly archivalOnly: boolean

  constructor(message: string, { archivalOnly = false, ...options }: ErrorOptions & { archivalOnly?: boolean } = {}) {
    super(message, options)
    this.archivalOnly = archivalOnly
  }
}

/** A server did not answer in time. */
export class NodeTimeoutError extends ChainError {
  readonly code = 'node_timeout'
  override readonly retryable = true
}

/** A server sent bytes that are not an answer to the query. */
export class NodeAnswerError extends ChainError {
  readonly code = 'node_answer_invalid'
  override readonly retryable = true
}

// Not ready, timeout, cancelled, processing timeout, and what proxies in front of nodes say when they are overloaded.
const PASSING_CODES = new Set([651, 652, 653, -503, 228, 429, 500, 502, 503, 504])

/** A server answered with an error of its own. */
export class NodeRefusedError extends ChainError {
  readonly code = 'node_refused'
  override readonly retryable: boolean
  readonly serverCode: number
  readonly serverText: string

  constructor(serverCode: number, serverText: string, options?: ErrorOptions) {
    super(`The server answered with error ${serverCode}: ${serverText}`, options)
    this.serverCode = serverCode
    this.serverText = serverText
    this.retryable = PASSING_CODES.has(serverCode)
  }
}

/** An answer contradicts what is already known to be true. Another server may be honest. */
export class ProofFailedError extends ChainError {
  readonly code = 'proof_failed'
  override readonly retryable = true
}
