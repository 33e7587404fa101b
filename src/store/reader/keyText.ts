import { bytesToLatin1 } from '../../primitives/bytesToText.ts'

/** Bytes as the key of a map. */
export const keyText: (bytes: Uint8Array) => string = bytesToLatin1
