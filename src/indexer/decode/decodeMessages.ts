import type { BlockId } from '../../primitives/BlockId.ts'
import type { RawBlock, RawBlockSet } from '../blockSets.ts'
import type { DecodeOptions, PackedBlockSet } from './decodeBlockSet.ts'

/** A job for a thread. */
export type DecodeJob =
  | { readonly kind: 'blockSet'; readonly blockSet: RawBlockSet; readonly options: JobOptions }
  | { readonly kind: 'root'; readonly block: RawBlock }

/** Watched accounts are set once, when a thread starts. */
export type JobOptions = Omit<DecodeOptions, 'watched'>

/** Results, one per job in order; `ready` comes first. */
export type DecodeAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'decoded'; readonly blockSet: PackedBlockSet }
  | { readonly kind: 'undecodable'; readonly block: BlockId; readonly reason: string }
  /** No problem means that the root cell has the root hash. */
  | { readonly kind: 'root'; readonly problem: string | undefined }

/**
 * Copies all bytes of a block set into one new buffer for transfer. The original bytes may be part of a larger file and shared.
 */
const copyRawBlockSet = ({
  seqno,
  masterchain,
  shards,
  tops,
}: RawBlockSet): { blockSet: RawBlockSet; buffer: ArrayBuffer } => {
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
  const copyId = (id: RawBlockSet['tops'][number]): RawBlockSet['tops'][number] => ({
    workchain: id.workchain,
    shard: id.shard,
    seqno: id.seqno,
    rootHash: copy(id.rootHash),
    fileHash: copy(id.fileHash),
  })
  const copyBlock = ({ id, bytes }: RawBlock): RawBlock => ({ id: copyId(id), bytes: copy(bytes) })
  const blockSet: RawBlockSet = {
    seqno,
    masterchain: copyBlock(masterchain),
    shards: shards.map(copyBlock),
    tops: tops.map(copyId),
  }
  return { blockSet, buffer: all.buffer }
}

/** Prepares a block set for transfer: its own bytes if not shared, otherwise a copy. */
export const transferRawBlockSet = (
  blockSet: RawBlockSet,
): { readonly blockSet: RawBlockSet; readonly buffers: ArrayBuffer[] } => {
  const blocks = [blockSet.masterchain, ...blockSet.shards]
  if (blockSet.isOwn !== true || !blocks.every(({ bytes }) => isWhole(bytes))) {
    const { blockSet: copy, buffer } = copyRawBlockSet(blockSet)
    return { blockSet: copy, buffers: [buffer] }
  }
  return { blockSet, buffers: blocks.map(({ bytes }) => bytes.buffer as ArrayBuffer) }
}

const isWhole = ({ buffer, byteLength }: Uint8Array): boolean =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength

/** The buffers of a block set to transfer. */
export const listBuffers = ({
  transactions,
  messages,
  contents,
  accounts,
  tokenRequests,
}: PackedBlockSet): ArrayBuffer[] => {
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
  // Their short byte strings share a few buffers.
  for (const request of tokenRequests) buffers.add(request.source.buffer)
  return [...buffers] as ArrayBuffer[]
}
