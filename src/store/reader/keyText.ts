import { latin1Slice } from '../../primitives/bytes.ts'

/** Bytes as the key of a map: a character for each. */
export const keyText = (bytes: Uint8Array): string => latin1Slice.call(bytes, 0, bytes.length)
