import type { BlockId } from '../../primitives/BlockId.ts'
import type { RawBlock, RawUnit } from '../blockSets.ts'
import type { DecodeOptions, PackedUnit } from './decodeBlockSet.ts'

/** What a thread is asked. */
export type DecodeJob =
  | { readonly kind: 'unit'; readonly unit: RawUnit; readonly options: JobOptions }
  | { readonly kind: 'root'; readonly block: RawBlock }

/** Who is watched is said once, when a thread starts. */
export type JobOptions = Omit<DecodeOptions, 'watched'>

/** What it answers, one to each job in their order; `ready` comes before all. */
export type DecodeAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'decoded'; readonly unit: PackedUnit }
  | { readonly kind: 'undecodable'; readonly block: BlockId; readonly reason: string }
  /** Without a problem, the root cell has the root hash. */
  | { readonly kind: 'root'; readonly problem: string | undefined }

/**
 * The unit with all its bytes in one new buffer, to be handed over. The bytes that came stay where they are: they may be a part of
 * a larger file, and others need them, too.
 */
const copyRawUnit = ({ seqno, masterchain, shards, tops }: RawUnit): { unit: RawUnit; buffer: ArrayBuffer } => {
  const blocks = [masterchain, ...shards]
  const ids = [...blocks.map(({ id }) => id), ...tops]
  const size = 64 * ids.length + blocks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const all = new Uint8Array(size)
  let used = 0
  const copy = (bytes: Uint8Array): Uint8Array => {
    all.set(bytes, used)
    used += bytes.length
    return all.subarray(used - bytes.length, used)
  }
  const copyId = (id: RawUnit['tops'][number]): RawUnit['tops'][number] => ({
    workchain: id.workchain,
    shard: id.shard,
    seqno: id.seqno,
    rootHash: copy(id.rootHash),
    fileHash: copy(id.fileHash),
  })
  const copyBlock = ({ id, bytes }: RawBlock): RawBlock => ({ id: copyId(id), bytes: copy(bytes) })
  const unit: RawUnit = {
    seqno,
    masterchain: copyBlock(masterchain),
    shards: shards.map(copyBlock),
    tops: tops.map(copyId),
  }
  return { unit, buffer: all.buffer }
}

/** The unit as it is handed to a thread: with its bytes where nobody else has them, with a copy of them where others may. */
export const handRawUnit = (unit: RawUnit): { readonly unit: RawUnit; readonly buffers: ArrayBuffer[] } => {
  const blocks = [unit.masterchain, ...unit.shards]
  if (unit.isOwn !== true || !blocks.every(({ bytes }) => isWhole(bytes))) {
    const { unit: copy, buffer } = copyRawUnit(unit)
    return { unit: copy, buffers: [buffer] }
  }
  return { unit, buffers: blocks.map(({ bytes }) => bytes.buffer as ArrayBuffer) }
}

const isWhole = ({ buffer, byteLength }: Uint8Array): boolean =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength

/** The buffers of a unit, which change hands instead of being copied. */
export const listBuffers = ({
  transactions,
  messages,
  contents,
  accounts,
  tokenRequests,
}: PackedUnit): ArrayBuffer[] => {
  const buffers = new Set<ArrayBufferLike>()
  const { rows: transactionRows, count: _transactions, ...transactionColumns } = transactions
  const { rows: messageRows, count: _messages, ...messageColumns } = messages
  for (const column of [...Object.values(transactionColumns), ...Object.values(messageColumns), contents.hashes]) {
    buffers.add(column.buffer)
  }
  for (const { bytes, ends } of [transactionRows, messageRows, contents.rows]) {
    buffers.add(bytes.buffer)
    buffers.add(ends.buffer)
  }
  const { placeNumbers, bytes, lastLts, nows, flags, balances } = accounts
  for (const column of [placeNumbers, bytes, lastLts, nows, flags, balances]) buffers.add(column.buffer)
  // Their short byte strings lie in a few buffers, one after another.
  for (const request of tokenRequests) buffers.add(request.source.buffer)
  return [...buffers] as ArrayBuffer[]
}
