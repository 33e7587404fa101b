import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { fromPaddedBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'

/** Makes the error for what is wrong. */
type Refuse = (fault: string) => CodedError

/** The one cell that bytes from a caller stand for. */
export const decodeBag = (bytes: Uint8Array, refuse: Refuse): Cell => {
  try {
    return decodeSingleBoc(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw refuse(`cannot deserialize bag-of-cells: ${describeFault(bytes, error)}`)
  }
}

/** The bytes that a text from a caller stands for. */
export const decodeBase64 = (text: string, refuse: Refuse): Uint8Array => {
  try {
    return fromPaddedBase64(text)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw refuse('invalid base64 encoded bytes')
  }
}

const magics = ['b5ee9c72', '68ff65f3', 'acc3a728']
const magicLength = 4

/** The commonest faults in the words that clients know. */
const describeFault = (bytes: Uint8Array, error: CodedError): string => {
  if (bytes.length < magicLength) return `not enough bytes (${bytes.length} present, 10 required)`
  return magics.includes(toHex(bytes.subarray(0, magicLength))) ? error.message : 'invalid header, error 0'
}
