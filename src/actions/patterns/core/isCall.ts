import type { Block } from '../../tree/Block.ts'
import { callContract } from './callContract.ts'

/** Whether a block is a plain call with one of these opcodes. */
export const isCall = (block: Block, ...opcodes: readonly number[]): boolean =>
  block.is(callContract) && block.data.opcode !== undefined && opcodes.includes(block.data.opcode)
