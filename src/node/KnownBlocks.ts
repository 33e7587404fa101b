import { type BlockId, type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { blockIdsEqual } from './proofs/unwrapProof.ts'

const MAX_KNOWN = 16_384
const MAX_SHARDS = 1024

/** A block of a shard, and the seqno of the masterchain block that registered it. */
type Registered = { readonly seqno: number; readonly masterSeqno: number }

/** The hashes of an id are one string, a character for each byte: those of answers are views that would keep the whole packet alive. */
type KnownId = { readonly workchain: number; readonly shard: bigint; readonly seqno: number; readonly hashes: string }

/** Ids of proven blocks by their seqno: what was proven once need not be looked up again. */
export class KnownBlocks {
  private readonly ids = new LruCache<KnownId>(MAX_KNOWN)
  /** The block of each shard that was looked up last. */
  private readonly registered = new LruCache<Registered>(MAX_SHARDS)

  find({ workchain, shard, seqno }: BlockId): BlockIdExt | undefined {
    const known = this.ids.find(keyOf(workchain, shard, seqno))
    return known === undefined ? undefined : unpack(known)
  }

  has(id: BlockIdExt): boolean {
    const known = this.find(id)
    return known !== undefined && blockIdsEqual(known, id)
  }

  /** `asked` is the shard or account prefix by which the block was found, where that is not its own shard. */
  add(id: BlockIdExt, asked: bigint = id.shard): void {
    const key = keyOf(id.workchain, asked, id.seqno)
    if (this.ids.find(key) === undefined) this.ids.set(key, pack(id))
  }

  /** Zerostates are left out: no block is there to be looked up. */
  addAll(ids: readonly BlockIdExt[]): void {
    for (const id of ids) if (id.seqno > 0) this.add(id)
  }

  /** Adds a block that was looked up, and with it the pace of its shard. */
  addRegistered(id: BlockIdExt, masterBlock: BlockIdExt): void {
    this.add(id)
    this.add(masterBlock)
    if (id.workchain !== masterchain)
      this.registered.set(shardKeyOf(id), { seqno: id.seqno, masterSeqno: masterBlock.seqno })
  }

  /**
   * Whether a masterchain block is old enough that the shard has this block by then: surely in the masterchain, and most likely in a shard
   * that was looked up before, since shards make a block for every one or two of the masterchain.
   */
  isReached(id: BlockId, head: BlockIdExt): boolean {
    if (id.workchain === masterchain) return id.seqno <= head.seqno
    const last = this.registered.find(shardKeyOf(id))
    return last !== undefined && 2 * (id.seqno - last.seqno) <= head.seqno - last.masterSeqno
  }
}

const pack = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): KnownId => ({
  workchain,
  shard,
  seqno,
  hashes: textOf(rootHash) + textOf(fileHash),
})

const unpack = ({ workchain, shard, seqno, hashes }: KnownId): BlockIdExt => ({
  workchain,
  shard,
  seqno,
  rootHash: bytesOf(hashes, 0),
  fileHash: bytesOf(hashes, 32),
})

const textOf = (hash: Uint8Array): string => String.fromCharCode.apply(undefined, hash as unknown as number[])

const bytesOf = (hashes: string, from: number): Uint8Array => {
  const hash = new Uint8Array(32)
  for (let k = 0; k < 32; k++) hash[k] = hashes.charCodeAt(from + k)
  return hash
}

const shardKeyOf = ({ workchain, shard }: BlockId): string => `${workchain}:${shard}`

const keyOf = (workchain: number, shard: bigint, seqno: number): string =>
  workchain === masterchain ? `${seqno}` : `${workchain}:${shard}:${seqno}`
