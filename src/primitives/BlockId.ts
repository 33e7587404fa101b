import { ParseError } from './errors.ts'
import { fromHex, toUpperHex } from './hex.ts'
import { formatShard, isValidShard, parseShard, wholeShard } from './shard.ts'

/** Where a block stands: `workchain` is a signed and `seqno` an unsigned 32-bit integer, `shard` an unsigned 64-bit one. */
export type BlockId = { readonly workchain: number; readonly shard: bigint; readonly seqno: number }

/** Which block it is: the hash of its root cell and the SHA-256 of its bytes, 32 bytes each. */
export type BlockIdExt = BlockId & { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }

/** The masterchain's workchain number. */
export const masterchain = -1

const invalidWorkchain = -0x8000_0000
const maxSeqno = 0x7fff_ffff
const integer = '(0|-?[1-9][0-9]{0,9})'
const position = `\\(${integer},([0-9a-fA-F]{16}),${integer}\\)`
const blockIdPattern = new RegExp(`^${position}$`)
const blockIdExtPattern = new RegExp(`^${position}:([0-9a-fA-F]{64}):([0-9a-fA-F]{64})$`)

/** Whether a node answers for such an id at all; nothing is said about the block being there. */
export const isValidBlockId = ({ workchain, shard, seqno }: BlockId): boolean =>
  (workchain | 0) === workchain &&
  workchain !== invalidWorkchain &&
  isValidShard(shard) &&
  (workchain !== masterchain || shard === wholeShard) &&
  Number.isInteger(seqno) &&
  seqno >= 0 &&
  seqno <= maxSeqno

/** The same for a full id, whose hashes must not be all zeros. */
export const isValidBlockIdExt = (id: BlockIdExt): boolean =>
  isValidBlockId(id) && isValidHash(id.rootHash) && isValidHash(id.fileHash)

const isValidHash = (hash: Uint8Array): boolean => hash.length === 32 && hash.some((byte) => byte !== 0)

/** `(workchain,shard,seqno)` with the shard in 16 lower-case hex digits, as the node prints it. */
export const formatBlockId = ({ workchain, shard, seqno }: BlockId): string =>
  `(${workchain},${formatShard(shard)},${seqno})`

/** Reads what `formatBlockId` prints, hex in either case. */
export const parseBlockId = (text: string): BlockId => {
  const [, workchain, shard, seqno] = blockIdPattern.exec(text) ?? []
  const id = findBlockId(workchain, shard, seqno)
  if (id === undefined) throw new ParseError('a block id like (-1,8000000000000000,1)', text)
  return id
}

/** `(workchain,shard,seqno):ROOT_HASH:FILE_HASH` with upper-case hashes, as in the entry names of archive packages. */
export const formatBlockIdExt = (id: BlockIdExt): string =>
  `${formatBlockId(id)}:${toUpperHex(id.rootHash)}:${toUpperHex(id.fileHash)}`

/** Reads what `formatBlockIdExt` prints, hex in either case. */
export const parseBlockIdExt = (text: string): BlockIdExt => {
  const [, workchain, shard, seqno, rootHash, fileHash] = blockIdExtPattern.exec(text) ?? []
  const id = findBlockId(workchain, shard, seqno)
  if (id === undefined || rootHash === undefined || fileHash === undefined) {
    throw new ParseError('a block id like (-1,8000000000000000,1):ROOT_HASH:FILE_HASH', text)
  }
  return { ...id, rootHash: fromHex(rootHash), fileHash: fromHex(fileHash) }
}

const findBlockId = (workchain?: string, shard?: string, seqno?: string): BlockId | undefined => {
  if (workchain === undefined || shard === undefined || seqno === undefined) return undefined
  const id = { workchain: Number(workchain), shard: parseShard(shard), seqno: Number(seqno) }
  return (id.workchain | 0) === id.workchain && id.seqno >>> 0 === id.seqno ? id : undefined
}
