import { CodedError } from '../../primitives/errors.ts'

/** The kind of fault, for code; the message is for people. */
export type TlFault = 'not_enough_bytes' | 'trailing_bytes' | 'unknown_constructor' | 'bad_value' | 'too_large'

/** Bytes that are not the TL expected, or a value that TL cannot carry; `offset` is the byte where that began. */
export class TlError extends CodedError {
  readonly code = 'invalid_tl'
  readonly fault: TlFault
  readonly offset: number

  constructor(fault: TlFault, offset: number, message: string) {
    super(`${message} (TL, at byte ${offset}).`)
    this.fault = fault
    this.offset = offset
  }
}

/** A constructor id as messages show it: the number, not the wire bytes. */
export const formatTlId = (id: number): string => `0x${id.toString(16).padStart(8, '0')}`
