import type { MatchContext } from '../../match/Matcher.ts'
import type { Block } from '../../tree/Block.ts'
import { isCall } from '../core/isCall.ts'
import { type TonTransferData, tonTransfer } from '../core/tonTransfer.ts'

const EXCESSES = 0xd53276db
const BOUNCE = 0xffffffff

/** Whether a block is a transfer to a nominator pool with one of its commands for a comment. */
export const isCommand = (block: Block, command: string, { facts }: MatchContext): block is Block<TonTransferData> =>
  block.is(tonTransfer) && block.data.comment === command && facts.of(block.data.destination).isNominatorPool === true

/** What a pool sends back by itself goes with the command. */
export const returnsOf = (command: Block): Block[] => command.next.filter((next) => isCall(next, EXCESSES, BOUNCE))
