import type { Block } from './Block.ts'
import { toBasicBlock } from './buildTree.ts'
import { EventNode } from './EventNode.ts'
import { readWalletRequest } from './readWalletRequest.ts'

/**
 * Where a wallet was asked to send messages and sent none, these are what it was asked for: blocks of them are put below the one
 * message of the trace. Tells whether there are any.
 */
export const addGhosts = (root: Block): boolean => {
  const [request, ...others] = root.next
  if (request === undefined || others.length > 0 || request.next.length > 0) return false
  const { node } = request
  if (node.message === undefined || node.message.source !== undefined) return false
  const ghosts = readWalletRequest(node.message.body, node.transaction)
  for (const message of ghosts) {
    const ghost = new EventNode(message, node.transaction, { isGhost: true })
    node.add(ghost)
    request.connect(toBasicBlock(ghost))
  }
  return ghosts.length > 0
}
