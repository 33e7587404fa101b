import type { Cell } from '../../codec/cell/Cell.ts'

const OPCODE_BITS = 32

/** Why a body was not decoded, in the words that clients of `/decode` know. */
export const explainUndecoded = (body: Cell): string =>
  body.bits < OPCODE_BITS ? `unknown: boc is too small, size ${body.bits}` : 'unknown: no parser succeeded'
