import { expectPresent } from '../../match/MatchRefusedError.ts'
import { formatOpcode } from '../../rows/format.ts'
import type { Block, BlockKind } from '../../tree/Block.ts'
import { isCall } from './isCall.ts'

/** The first plain call with one of these opcodes. */
export const findCall = (blocks: readonly Block[], ...opcodes: readonly number[]): Block | undefined =>
  blocks.find((block) => isCall(block, ...opcodes))

/** As {@link findCall}, of one that the match cannot do without. */
export const getCall = (blocks: readonly Block[], opcode: number): Block =>
  expectPresent(findCall(blocks, opcode), `call ${formatOpcode(opcode)}`)

/** The first block of a kind. */
export const findKind = <Data>(blocks: readonly Block[], kind: BlockKind<Data>): Block<Data> | undefined =>
  blocks.find((block): block is Block<Data> => block.is(kind))

/** As {@link findKind}, of one that the match cannot do without. */
export const getKind = <Data>(blocks: readonly Block[], kind: BlockKind<Data>): Block<Data> =>
  expectPresent(findKind(blocks, kind), kind.name)
