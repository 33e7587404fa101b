import { type CallData, callContract } from '../patterns/core/callContract.ts'
import { contractDeploy } from '../patterns/core/contractDeploy.ts'
import { rootBlock } from '../patterns/core/synthetic.ts'
import { tickTock } from '../patterns/core/tickTock.ts'
import { tonTransfer } from '../patterns/core/tonTransfer.ts'
import type { TraceInput, TraceMessage, TraceTransaction } from '../trace/TraceInput.ts'
import { Block } from './Block.ts'
import { buildNodes, type EventNode } from './EventNode.ts'
import { readTransferComment } from './readTransferComment.ts'

const COMMENT = 0
const ENCRYPTED_COMMENT = 0x2167da4b

/** A block for every event of a trace, below one that stands for nothing. */
export const buildTree = (trace: TraceInput): Block => {
  const root = new Block(rootBlock, undefined, []) as Block
  for (const node of buildNodes(trace)) attach(root, node)
  return root
}

/** Chains of messages may be as long as a trace: no recursion. */
const attach = (root: Block, first: EventNode): void => {
  const open: [Block, EventNode][] = [[root, first]]
  for (let at = 0; at < open.length; at++) {
    const [previous, node] = open[at]!
    const block = toBasicBlock(node)
    previous.connect(block)
    for (const child of node.children) open.push([block, child])
  }
}

export const toBasicBlock = (node: EventNode): Block => {
  const block = toPlainBlock(node)
  const { origStatus, endStatus, aborted } = node.transaction
  if (endStatus === 'active' && origStatus !== 'active' && origStatus !== 'frozen' && !node.isGhost) {
    const deploy = new Block(contractDeploy, callData(node.message), [node], aborted) as Block
    deploy.container = block
    block.children.push(deploy)
  }
  return block
}

const toPlainBlock = (node: EventNode): Block => {
  const { message, transaction } = node
  if (message === undefined) {
    return new Block(tickTock, { account: transaction.account }, [node], transaction.aborted) as Block
  }
  const { source, destination, opcode, value = 0n, extraCurrencies, body } = message
  const isTransfer = opcode === undefined || opcode === COMMENT || opcode === ENCRYPTED_COMMENT
  if (isTransfer && source !== undefined && destination !== undefined) {
    const comment = readTransferComment(body)
    const encrypted = opcode === ENCRYPTED_COMMENT
    const data = { source, destination, value, extraCurrencies, comment, encrypted }
    return new Block(tonTransfer, data, [node], node.isGhost || isFailedTransfer(message, transaction)) as Block
  }
  return new Block(callContract, callData(message), [node], node.isGhost || isFailedCall(message, transaction)) as Block
}

const callData = (message: TraceMessage | undefined): CallData => ({
  opcode: message?.opcode,
  source: message?.source,
  destination: message?.destination,
  value: message?.value,
  extraCurrencies: message?.extraCurrencies ?? {},
})

/** A call without money that comes to nothing has done no harm. */
const isFailedCall = (
  { opcode, value = 0n, extraCurrencies }: TraceMessage,
  { aborted }: TraceTransaction,
): boolean => {
  if (!aborted) return false
  const isHarmless = opcode !== undefined && opcode !== 0 && value === 0n && Object.keys(extraCurrencies).length === 0
  return !isHarmless
}

/** Money that stays where it was sent has arrived, whatever the contract there made of it. */
const isFailedTransfer = (
  { bounce, source }: TraceMessage,
  { aborted, endStatus, skipReason }: TraceTransaction,
): boolean => {
  if (!aborted) return false
  if (bounce) return true
  if (endStatus === 'uninit') return false
  return !(skipReason === 'no_gas' && source !== undefined)
}
