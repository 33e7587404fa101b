import { CodedError } from '../../primitives/errors.ts'

/** What a liteserver answers in place of a result: a code and a text that clients match on. */
export class LiteRefusal extends CodedError {
  readonly code = 'lite_refusal'
  readonly serverCode: number
  readonly serverText: string

  constructor(serverCode: number, serverText: string) {
    super(`The question is refused with ${serverCode}: ${serverText}`)
    this.serverCode = serverCode
    this.serverText = serverText
  }
}

/** Bad arguments, or something that is not in the block that was named. */
export const REQUEST_ERROR = -400
/** The block or state is not here, or not yet. */
export const NOT_READY = 651
