import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readMessageRelaxed } from '../../codec/tlb/Message.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type TraceMessage, type TraceTransaction, toTraceMessage } from '../trace/TraceInput.ts'
import { type Block, EventNode } from './Block.ts'
import { toBasicBlock } from './buildTree.ts'

const SIGNATURE_BITS = 512
const MAX_MESSAGES = 255

/** The messages that a wallet was asked to send, by the first layout of a request that can be read. */
const readWalletRequest = (body: Cell, { account }: TraceTransaction): TraceMessage[] => {
  for (const listMessages of [listV3, listV4, listV5]) {
    try {
      return listMessages(openCell(body)).map((cell, index) => toGhost(cell, index, account))
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    }
  }
  return []
}

/** Each reference is a message; a byte before it says how to send it. */
const listReferenced = (r: CellReader): Cell[] => {
  const messages: Cell[] = []
  while (r.remainingRefs > 0) {
    r.skipBits(8)
    messages.push(r.readRefCell())
  }
  return messages
}

const listV3 = (r: CellReader): Cell[] => {
  r.skipBits(SIGNATURE_BITS + 3 * 32)
  const messages = listReferenced(r)
  r.expectEnd('a request of a v3 wallet')
  return messages
}

const listV4 = (r: CellReader): Cell[] => {
  r.skipBits(SIGNATURE_BITS + 3 * 32 + 8)
  const messages = listReferenced(r)
  r.expectEnd('a request of a v4 wallet')
  return messages
}

/** A chain of actions, the last one outermost; they are counted from there. */
const listV5 = (r: CellReader): Cell[] => {
  r.skipBits(4 * 32)
  const messages: Cell[] = []
  let actions = r.readMaybeRefCell()
  while (actions !== undefined && actions.bits > 0) {
    if (messages.length >= MAX_MESSAGES) break
    const action = openCell(actions)
    actions = action.readRefCell()
    messages.push(action.readRefCell())
  }
  return messages
}

const toGhost = (cell: Cell, index: number, account: string): TraceMessage => {
  const message = toTraceMessage(readMessageRelaxed(openCell(cell)), cell)
  return {
    ...message,
    hash: toBase64(new TextEncoder().encode(`${toBase64(cell.hash())}${index}`)),
    source: message.destination === undefined ? message.source : account,
    createdLt: undefined,
    createdAt: undefined,
  }
}

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
