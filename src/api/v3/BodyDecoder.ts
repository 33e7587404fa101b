import type { Cell } from '../../codec/cell/Cell.ts'
import type { JsonValue } from '../core/json/JsonValue.ts'

/** Says what bodies of messages mean. */
export interface BodyDecoder {
  /** What a body holds, or `undefined` where nothing known fits it. */
  decode(body: Cell): JsonValue | undefined
  /** The name of what an opcode of 32 bits begins. */
  nameOf(opcode: number): string | undefined
}
