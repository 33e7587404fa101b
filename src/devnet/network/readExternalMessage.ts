import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { DEFAULT_BOC_LIMITS, decodeBoc, readBocHeader } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type ConfigDict, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { type Message, readMessage } from '../../codec/tlb/Message.ts'
import { crc32c } from '../../primitives/crc.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ExternalMessage } from '../collate/StepOrder.ts'
import { refuse } from './Mempool.ts'

export type ExternalLimits = { readonly maxBytes: number; readonly maxDepth: number }

const DEFAULT_LIMITS: ExternalLimits = { maxBytes: 65_535, maxDepth: 512 }
/** A header that is cut short is told from a wrong one by whether bytes after it would help. */
const SHORTEST_BAG = 10
const EXTERNAL_IN = 0b10

/** What the configuration allows. */
export const externalLimits = (config: ConfigDict): ExternalLimits => {
  const limits = findConfigParam(config, 43)
  return limits === undefined ? DEFAULT_LIMITS : { maxBytes: limits.maxExtMsgSize, maxDepth: limits.maxExtMsgDepth }
}

/** Reads an external message from its bytes with the checks of a node, in its order and its words. */
export const readExternalMessage = (bytes: Uint8Array, limits: ExternalLimits): ExternalMessage => {
  if (bytes.length > limits.maxBytes) throw refuse(0, 'external message too large, rejecting')
  return checkExternalMessage(decodeRoot(bytes), limits)
}

const checkExternalMessage = (root: Cell, { maxDepth }: ExternalLimits): ExternalMessage => {
  if (root.levelMask !== 0) throw refuse(0, 'external message must have zero level')
  if (root.depth() >= maxDepth) throw refuse(0, 'external message is too deep')
  if (root.isExotic || root.bits < 2 || openCell(root).readUint(2) !== EXTERNAL_IN) {
    throw refuse(0, 'external message must begin with ext_in_msg_info$10')
  }
  const { info } = openMessage(root)
  if (info.kind !== 'externalIn' || info.destination.kind !== 'std' || info.destination.anycast !== undefined) {
    throw refuse(0, "Can't parse destination address")
  }
  const { workchain, hash } = info.destination
  return { destination: { workchain, hash: hash.slice() }, message: root, hash: toHex(root.hash()) }
}

const openMessage = (root: Cell): Message => {
  try {
    return readWhole(root, readMessage, 'A Message')
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw refuse(0, 'external message is not a (Message Any) according to automated checks')
  }
}

const decodeRoot = (bytes: Uint8Array): Cell => {
  const header = findHeader(bytes)
  if (header === undefined) {
    const isCutShort = bytes.length < SHORTEST_BAG ? startsLikeBag(bytes) : findHeader(lengthened(bytes)) !== undefined
    throw isCutShort ? notBag() : refuse(0, 'cannot deserialize bag-of-cells: invalid header, error 0')
  }
  // What follows the bag does not matter to a node.
  const bag = bytes.slice(0, header.length)
  if (header.hasCrc) expectChecksum(bag)
  try {
    const [root, ...more] = decodeBoc(bag, { allowPrunedRoots: true, lenient: true })
    if (root !== undefined && more.length === 0) return root
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
  }
  throw notBag()
}

const notBag = () => refuse(0, 'external message is not a valid bag of cells')

const findHeader = (bytes: Uint8Array) => {
  try {
    return readBocHeader(bytes, DEFAULT_BOC_LIMITS)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const startsLikeBag = (bytes: Uint8Array): boolean => {
  const magics = ['b5ee9c72', '68ff65f3', 'acc3a728']
  return magics.some((magic) => magic.startsWith(toHex(bytes.subarray(0, 4))))
}

/** So long that a bag which is no longer than a message may be is whole in it. */
const lengthened = (bytes: Uint8Array): Uint8Array => {
  const longer = new Uint8Array(bytes.length + 2 ** 17)
  longer.set(bytes)
  return longer
}

const expectChecksum = (bag: Uint8Array): void => {
  const view = new DataView(bag.buffer, bag.byteOffset, bag.length)
  const stored = view.getUint32(bag.length - 4, true)
  const computed = crc32c(bag, 0, bag.length - 4)
  if (stored === computed) return
  const show = (crc: number): string => `0x${crc.toString(16).padStart(8, '0')}`
  throw refuse(0, `bag-of-cells CRC32C mismatch: expected ${show(computed)}, found ${show(stored)}`)
}
