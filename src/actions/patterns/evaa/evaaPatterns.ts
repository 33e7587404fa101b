import { type Pattern, type Surroundings, when } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { findUserOpcode } from '../bodies/evaa.ts'
import { callContract } from '../core/callContract.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

const comments: readonly (string | undefined)[] = ['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']

/** Change that the lender sends back, and says for what. */
export const commentedChange = when((block) => block.is(tonTransfer) && comments.includes(block.data.comment), {
  optional: true,
})

/** Whether a block is a call to the contract of a user. */
export const isUserCall = (block: Block, opcode: number): boolean =>
  block.is(callContract) && findUserOpcode(messageOf(block).body) === opcode

/** A call to the contract of a user. */
export const userCall = (opcode: number, around: Surroundings = {}): Pattern =>
  when((block) => isUserCall(block, opcode), around)

/** Whether a block asks the lender for something: by a call, or by jettons that brought the same along. */
export const isRequest = (block: Block, opcode: number): boolean =>
  isCall(block, opcode) || (block.is(jettonTransfer) && block.data.forward?.tag === opcode)
