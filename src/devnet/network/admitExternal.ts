import type { TransactionRun, VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { DEFAULT_BOC_LIMITS, decodeBoc, readBocHeader } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type ConfigDict, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { type Message, readMessage } from '../../codec/tlb/Message.ts'
import type { Address } from '../../primitives/Address.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { CodedError } from '../../primitives/errors.ts'
import { fromHex, toHex, toUpperHex } from '../../primitives/hex.ts'
import { formatShard } from '../../primitives/shard.ts'
import type { ExternalMessage } from '../collate/StepRequest.ts'
import { newestMaster } from '../liteserver/blockAccess.ts'
import { LiteserverError, NOT_READY } from '../liteserver/LiteFunction.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { findHeadAccount, viewFromHead } from './headContext.ts'
import { type Mempool, refuse } from './Mempool.ts'
import type { Disturbance, Sent } from './NetworkControls.ts'

export type ExternalAdmissionOptions = {
  readonly store: ChainStore
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly pool: Mempool
  /** Seconds of network time. */
  now(): number
  /** Called when a message was added to the mempool. */
  onTaken(): void
  /** On a fork: brings the destination into the state. */
  readonly ensureAccount?: ((address: Address) => Promise<unknown>) | undefined
}

/** Fault injection for the next accepted message. */
export type Fate = Extract<Disturbance, { kind: 'lose' | 'delay' }>

/** Admission of external messages: the checks and error texts of a node. */
export class ExternalAdmission {
  fate: Fate | undefined
  private readonly options: ExternalAdmissionOptions

  constructor(options: ExternalAdmissionOptions) {
    this.options = options
  }

  async take(bytes: Uint8Array): Promise<Sent> {
    const { store, vm, pool, now, onTaken, ensureAccount } = this.options
    const utime = now()
    const external = readExternalMessage(bytes, externalLimits(viewFromHead(store).params))
    pool.claim(external, bytes.length, utime)
    try {
      await ensureAccount?.(external.destination).catch(refuseUnavailable)
      // The same on every run, so that a check that looks at randomness ends the same.
      await admitExternal(external, { store, vm, utime, randomSeed: newestMaster(store).rootHash })
    } catch (error) {
      pool.release(external.hash)
      throw error
    }
    this.accept(external.hash)
    onTaken()
    return { messageHash: fromHex(external.hash) }
  }

  private accept(hash: string): void {
    const { store, pool } = this.options
    const { fate } = this
    this.fate = undefined
    if (fate?.kind === 'lose') pool.remove(hash)
    else pool.confirm(hash, newestMaster(store).seqno + 1 + (fate?.blocks ?? 0))
  }
}

const refuseUnavailable = (error: unknown): never => {
  throw error instanceof CodedError ? refuse(NOT_READY, error.message) : error
}

/** The code of a node for an external message that its contract does not accept. */
const NOT_ACCEPTED = -701
const TIMEOUT = -503
/** Length of the log tail in an error. */
const LOG_CHARACTERS = 256

export type AdmissionOptions = {
  readonly store: ChainStore
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly utime: number
  readonly randomSeed: Uint8Array
}

/** Runs a message on its destination at the newest block, and rejects it with the error text of a node if it is not accepted. */
export const admitExternal = async (
  { destination, message }: ExternalMessage,
  { store, vm, utime, randomSeed }: AdmissionOptions,
): Promise<void> => {
  const head = findHeadAccount(store, destination)
  if (head === undefined)
    throw refuse(NOT_READY, `no shard in masterchain state for account ${formatDestination(destination)}`)
  if (head.account === undefined) throw refuse(0, 'Failed to unpack account state')
  const { config, previousBlocks, findLibrary } = viewFromHead(store)
  // A node asks at the time of the newest block. Here that may be long ago, and the next block has the time of the clock.
  const now = Math.max(head.genUtime, utime)
  const context = { config, previousBlocks, findLibrary, now, randomSeed }
  try {
    const run = await vm.runTransaction({
      account: head.account,
      cause: { kind: 'message', message },
      lt: head.genLt + 1n,
      context,
      ignoreSignatures: false,
      log: 'none',
    })
    if (run.kind === 'notAccepted') throw refuse(NOT_ACCEPTED, describeRefusal(destination, run))
  } catch (error) {
    if (error instanceof LiteserverError || !(error instanceof CodedError)) throw error
    if (error.retryable) throw refuse(NOT_READY, 'too many pending external message checks')
    if (error.code === 'vm_timeout') throw refuse(TIMEOUT, 'timeout')
    throw refuse(0, `${COULD_NOT_RUN}${error.message}`)
  }
}

const COULD_NOT_RUN = 'External message was not accepted: cannot run message on account: '

const describeRefusal = (
  { hash }: Address,
  { exitCode, steps, reason, log }: Extract<TransactionRun, { kind: 'notAccepted' }>,
): string => {
  // The emulator has words of its own before those of the node.
  if (exitCode === undefined) return `${COULD_NOT_RUN}${reason.replace(/^cannot run message on account /, '')}`
  const lines = [
    `${COULD_NOT_RUN}inbound external message rejected by transaction ${toUpperHex(hash)}:`,
    `exitcode=${exitCode}, steps=${steps}, gas_used=0`,
    ...(log === '' ? [] : [`VM Log (truncated):\n...${log.slice(-LOG_CHARACTERS)}`]),
  ]
  return lines.join('\n')
}

const formatDestination = ({ workchain, hash }: Address): string => `${workchain}:0x${formatShard(getU64BE(hash, 0))}`

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
