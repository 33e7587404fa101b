import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readSnake } from '../../codec/content/text.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type CallData, callContract, contractDeploy, rootBlock, tickTock, tonTransfer } from '../patterns/core.ts'
import type { TraceInput, TraceMessage, TraceTransaction } from '../trace/TraceInput.ts'
import { Block, buildNodes, type EventNode } from './Block.ts'

const TAG_BITS = 32
const ENCRYPTED = 0x2167da4b

/** The comment of a plain transfer: text or, of an encrypted one, base64; `undefined` where there is none. */
const readTransferComment = (body: Cell): string | undefined => {
  if (body.bits < TAG_BITS) return undefined
  const r = openCell(body)
  const tag = r.readUint(TAG_BITS)
  if (r.remainingBits < 8 || r.remainingBits % 8 !== 0 || r.remainingRefs > 1) return undefined
  return readCommentBytes(r, tag === ENCRYPTED)
}

/** The rest as comment text. */
export const readCommentBytes = (r: CellReader, encrypted: boolean): string | undefined => {
  try {
    const bytes = readSnake(r)
    return encrypted ? toBase64(bytes) : escapeText(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}

/** Bytes that are no UTF-8 are written as `\xNN`; zeros are left out, since the database has none in its texts. */
export const escapeText = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) text += `\\x${bytes[at++]!.toString(16).padStart(2, '0')}`
    else {
      text += decoder.decode(bytes.subarray(at, at + length))
      at += length
    }
  }
  return text.replaceAll('\0', '')
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The length of the UTF-8 character at this position; 0 where there is none. */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0
  if (length === 0 || at + length > bytes.length) return 0
  if (length === 1) return 1
  try {
    decoder.decode(bytes.subarray(at, at + length))
    return length
  } catch {
    return 0
  }
}

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
