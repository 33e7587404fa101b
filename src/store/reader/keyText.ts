import { toHex } from '../../primitives/hex.ts'

/** Bytes as the key of a map. */
export const keyText: (bytes: Uint8Array) => string = toHex
