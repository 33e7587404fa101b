import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell, openRaw } from '../../codec/cell/CellReader.ts'
import { DEFAULT_BOC_LIMITS, decodeBoc, readBocHeader } from '../../codec/cell/decodeBoc.ts'
import { BocError, CellError } from '../../codec/cell/errors.ts'
import { LIBRARY_REFERENCE, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { readWhole, writeWhole } from '../../codec/cell/wholeCell.ts'
import { type Account, openAccount, writeAccount } from '../../codec/tlb/Account.ts'
import { type BlockProof, openBlockProof } from '../../codec/tlb/BlockProof.ts'
import { type Message, type MessageRelaxed, readMessage, readMessageRelaxed } from '../../codec/tlb/Message.ts'
import type { MsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { readShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { readStateInit } from '../../codec/tlb/StateInit.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { formatFriendlyAddress } from '../../primitives/Address.ts'
import { formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex, toUpperHex } from '../../primitives/hex.ts'
import { formatShard } from '../../primitives/shard.ts'
import {
  describeAccount,
  describeBlock,
  describeBody,
  describeInit,
  describeMessage,
  describeTransaction,
  type Finding,
  formatTime,
} from './describe.ts'
import { describeCode } from './describeCode.ts'

/** As many as a person looks at. */
const MOST_LINES = 40
const DEEPEST = 32
const SHOWN_DIGITS = 64

/** The tree below a cell, a line for each, from the top: its bits, its data, the beginning of its hash. */
const drawCells = (root: Cell): string[] => {
  const lines: string[] = []
  const waiting: { readonly cell: Cell; readonly depth: number }[] = [{ cell: root, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (lines.length >= MOST_LINES) return [...lines, '… and more']
    const { cell, depth } = next
    lines.push(`${'  '.repeat(depth)}${describeCell(cell)}`)
    if (depth >= DEEPEST && cell.refCount > 0) lines.push(`${'  '.repeat(depth + 1)}…`)
    else for (let k = cell.refCount - 1; k >= 0; k--) waiting.push({ cell: cell.ref(k), depth: depth + 1 })
  }
  return lines
}

const describeCell = (cell: Cell): string => {
  const data = formatBits(cell)
  const shown = data.length > SHOWN_DIGITS ? `${data.slice(0, SHOWN_DIGITS)}…` : data
  const kind = cell.isExotic ? ` ${exoticKinds.get(cell.exoticType) ?? 'exotic'}` : ''
  return `x{${shown}} ${cell.bits} bits${kind} (${toHex(cell.hash()).slice(0, 8)})`
}

const exoticKinds: ReadonlyMap<number, string> = new Map([
  [PRUNED_BRANCH, 'pruned branch'],
  [LIBRARY_REFERENCE, 'library reference'],
  [MERKLE_PROOF, 'Merkle proof'],
  [MERKLE_UPDATE, 'Merkle update'],
])

/** Hexadecimal digits; where the bits do not fill the last, a 1 and zeros do, and an underscore says so. */
const formatBits = (cell: Cell): string => {
  const { bits } = cell
  const bytes = openRaw(cell).readBits(bits)
  const digits = Math.ceil(bits / 4)
  if (bits % 4 === 0) return toUpperHex(bytes).slice(0, digits)
  const padded = Uint8Array.from(bytes)
  padded[bits >> 3]! |= 0x80 >> (bits & 7)
  return `${toUpperHex(padded).slice(0, digits)}_`
}

/** What a bag of cells holds: its size, and of each root what it is and its cells. */
export const inspectBag = (bytes: Uint8Array, decoder: BodyDecoder): Finding => {
  const { roots, fault } = decodeLeniently(bytes)
  const { cells, hasCrc, indexStart } = readBocHeader(bytes, DEFAULT_BOC_LIMITS)
  const [first] = roots
  const size = {
    bytes: bytes.length,
    cells,
    data_bits: first!.arena.bitLength.subarray(0, cells).reduce((sum, bits) => sum + bits, 0),
    roots: roots.length,
    checksum: hasCrc,
    index: indexStart !== undefined,
    ...(fault !== undefined && { fault }),
  }
  const found = roots.map((root) => ({
    ...recognize(root, bytes, decoder),
    root: { hash: toHex(root.hash()), depth: root.depth(), cells: drawCells(root) },
  }))
  return found.length === 1 ? { ...found[0]!, bag: size } : { kind: 'bag of cells', bag: size, roots: found }
}

/** Some writers get index entries and level masks wrong: that is told, and the cells are shown all the same. */
const decodeLeniently = (bytes: Uint8Array): { readonly roots: readonly Cell[]; readonly fault?: string } => {
  try {
    return { roots: decodeBoc(bytes, { allowPrunedRoots: true }) }
  } catch (error) {
    if (!(error instanceof BocError)) throw error
    return { roots: decodeBoc(bytes, { allowPrunedRoots: true, lenient: true }), fault: error.message }
  }
}

/** Those that are told by a tag come before those that anything might look like. */
const recognize = (root: Cell, bytes: Uint8Array, decoder: BodyDecoder): Finding => {
  for (const { fits, describe } of forms) {
    if (!fits(root)) continue
    try {
      return describe(root, bytes, decoder)
    } catch (error) {
      // It was something else, or a part of it is not there.
      if (!(error instanceof CodedError)) throw error
    }
  }
  return { kind: 'cells' }
}

type Form = {
  fits(root: Cell): boolean
  describe(root: Cell, bytes: Uint8Array, decoder: BodyDecoder): Finding
}

const hasTag =
  (tag: number, bits: number) =>
  (root: Cell): boolean =>
    !root.isExotic && root.bits >= bits && openCell(root).readUint(bits) === tag

const isOrdinary = (root: Cell): boolean => !root.isExotic

const forms: readonly Form[] = [
  { fits: (root) => root.isExotic, describe: (root) => describeExotic(root) },
  { fits: hasTag(0x11ef55aa, 32), describe: describeBlock },
  // Compiled code starts with SETCP 0.
  { fits: hasTag(0xff00, 16), describe: (root) => describeCode(root) },
  { fits: hasTag(0x9023afe2, 32), describe: (root) => describeState(root) },
  { fits: hasTag(0xc3, 8), describe: (root) => describeProof(openBlockProof(root)) },
  {
    fits: hasTag(0b0111, 4),
    describe: (root, _bytes, decoder) =>
      describeTransaction(root, readWhole(root, readTransaction, 'A Transaction'), decoder),
  },
  {
    fits: (root) => isOrdinary(root) && root.bits === 320 && root.refCount === 1,
    describe: (root) => {
      const { account, lastTransHash, lastTransLt } = readWhole(root, readShardAccount, 'A ShardAccount')
      return {
        ...describeAccount(openAccount(account)),
        last_transaction: `${toHex(lastTransHash)} at lt ${lastTransLt}`,
      }
    },
  },
  { fits: isOrdinary, describe: (root) => describeAccount(openWholeAccount(root)) },
  {
    fits: isOrdinary,
    describe: (root, _bytes, decoder) =>
      describeMessage(root, checkSent(readWhole(root, readMessage, 'A Message')), decoder),
  },
  {
    fits: isOrdinary,
    describe: (root, _bytes, decoder) =>
      describeMessage(root, checkToSend(readWhole(root, readMessageRelaxed, 'A Message')), decoder),
  },
  {
    fits: (root) => isOrdinary(root) && root.bits < 16 && root.refCount > 0,
    describe: (root) => {
      const init = readWhole(root, readStateInit, 'A StateInit')
      const hash = root.hash()
      const address = formatFriendlyAddress({ workchain: 0, hash })
      return { kind: 'state of a contract', address_in_the_basechain: address, ...describeInit(init) }
    },
  },
  {
    fits: (root) => isOrdinary(root) && root.bits >= 32,
    describe: (root, _bytes, decoder) => ({ kind: 'cells', as_a_body: describeBody(root, decoder) }),
  },
]

/** An account has more than its first bit, and nothing behind its end. */
const openWholeAccount = (root: Cell): Account => {
  const account = openAccount(root)
  const isWhole = account.kind === 'account' && bytesEqual(writeWhole(writeAccount, account).hash(), root.hash())
  if (!isWhole) throw unlikely('account')
  return account
}

// Any bits behind a header pass for a body, so a header has to look like one that a network has written.

const checkSent = (message: Message): Message => {
  const { info } = message
  const isLikely =
    info.kind === 'externalIn'
      ? isKnown(info.destination)
      : isKnown(info.source) && (info.kind === 'externalOut' || isKnown(info.destination)) && info.createdLt > 0n
  if (!isLikely) throw unlikely('message')
  return message
}

/** As contracts and their libraries write messages: the network fills in the rest. */
const checkToSend = (message: MessageRelaxed): MessageRelaxed => {
  const { info } = message
  const isLikely =
    info.createdLt === 0n && info.createdAt === 0 && (info.kind === 'externalOut' || isKnown(info.destination))
  if (!isLikely) throw unlikely('message')
  return message
}

const isKnown = (address: MsgAddress): boolean =>
  address.kind === 'std' && (address.workchain === 0 || address.workchain === masterchain)

const unlikely = (what: string): CellError => new CellError(`This does not look like the ${what} it was taken for.`)

const describeProof = ({ proofFor, root, signatures }: BlockProof): Finding => ({
  kind: 'block proof',
  of: formatBlockId(proofFor),
  root_hash: toHex(proofFor.rootHash),
  file_hash: toHex(proofFor.fileHash),
  proves: root.exoticType === MERKLE_PROOF ? toHex(root.ref(0).hash(0)) : undefined,
  signatures: signatures?.signatures.entries().length ?? 0,
})

const describeExotic = (root: Cell): Finding => {
  const { exoticType } = root
  if (exoticType !== MERKLE_PROOF && exoticType !== MERKLE_UPDATE) return { kind: 'cells' }
  const parts = Array.from({ length: root.refCount }, (_, k) => toHex(root.ref(k).hash(0)))
  return exoticType === MERKLE_PROOF
    ? { kind: 'Merkle proof', of: parts[0] }
    : { kind: 'Merkle update', from: parts[0], to: parts[1] }
}

const describeState = (root: Cell): Finding => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') return { kind: 'state of two shards' }
  return {
    kind: 'state of a shard',
    workchain: state.shard.workchain,
    shard: formatShard(state.shard.shard),
    seqno: state.seqno,
    global_id: state.globalId,
    time: formatTime(state.genUtime),
    lt: String(state.genLt),
  }
}
