import { type BlockId, type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import { type EntryKind, type EntryName, entryKinds } from './entryName.ts'
import type { EntryPlace } from './packFile.ts'

const HASHES = 64

type Columns = {
  readonly kind: Uint8Array
  readonly nameLength: Uint8Array
  readonly workchain: Int32Array
  readonly seqno: Uint32Array
  readonly shard: BigUint64Array
  readonly offset: Float64Array
  readonly dataLength: Uint32Array
  readonly hashes: Uint8Array
}

const createColumns = (capacity: number): Columns => ({
  kind: new Uint8Array(capacity),
  nameLength: new Uint8Array(capacity),
  workchain: new Int32Array(capacity),
  seqno: new Uint32Array(capacity),
  shard: new BigUint64Array(capacity),
  offset: new Float64Array(capacity),
  dataLength: new Uint32Array(capacity),
  hashes: new Uint8Array(capacity * HASHES),
})

/**
 * The entries of a package, in its order: where each stands and what it is, 94 bytes apiece. Lookups go over the column of
 * seqnos from the end, a few microseconds for the thousands of entries of a usual package.
 */
export class EntryTable {
  count = 0
  private columns = createColumns(0)

  add({ kind, id }: EntryName, { offset, nameLength, dataLength }: EntryPlace): void {
    const at = this.count
    if (at === this.columns.kind.length) this.grow()
    const columns = this.columns
    columns.kind[at] = entryKinds.indexOf(kind)
    columns.nameLength[at] = nameLength
    columns.workchain[at] = id.workchain
    columns.seqno[at] = id.seqno
    columns.shard[at] = id.shard
    columns.offset[at] = offset
    columns.dataLength[at] = dataLength
    columns.hashes.set(id.rootHash, at * HASHES)
    columns.hashes.set(id.fileHash, at * HASHES + 32)
    this.count++
  }

  /** Every copy of an entry, the last one first. */
  find(kind: EntryKind, id: BlockIdExt): EntryPlace[] {
    const { columns } = this
    const wanted = entryKinds.indexOf(kind)
    const places: EntryPlace[] = []
    for (let i = this.count - 1; i >= 0; i--) {
      if (columns.seqno[i] !== id.seqno || columns.kind[i] !== wanted || !this.isBlock(i, id)) continue
      places.push({
        offset: columns.offset[i]!,
        nameLength: columns.nameLength[i]!,
        dataLength: columns.dataLength[i]!,
      })
    }
    return places
  }

  /** The newest masterchain block with at most this seqno; of several with one seqno, the last in the file. */
  findMasterchainBlock(maxSeqno: number): BlockIdExt | undefined {
    const { workchain, kind, seqno } = this.columns
    let best = -1
    for (let i = this.count - 1; i >= 0; i--) {
      if (workchain[i] !== masterchain || kind[i] !== 0 || seqno[i]! > maxSeqno) continue
      if (best < 0 || seqno[i]! > seqno[best]!) best = i
    }
    return best < 0 ? undefined : this.idAt(best)
  }

  /** The lowest and the highest seqno of entries whose shard has accounts in common with the given one. */
  findSeqnoRange({ workchain, shard }: BlockId): readonly [lowest: number, highest: number] | undefined {
    const { columns } = this
    let lowest = Number.POSITIVE_INFINITY
    let highest = -1
    for (let i = 0; i < this.count; i++) {
      if (columns.workchain[i] !== workchain) continue
      const other = columns.shard[i]!
      if (other !== shard && !isShardAncestor(other, shard) && !isShardAncestor(shard, other)) continue
      lowest = Math.min(lowest, columns.seqno[i]!)
      highest = Math.max(highest, columns.seqno[i]!)
    }
    return highest < 0 ? undefined : [lowest, highest]
  }

  /** The blocks, each once, in the order of their last copies. */
  listBlocks(): BlockIdExt[] {
    const blocks = new Map<string, BlockIdExt>()
    for (let i = 0; i < this.count; i++) {
      if (this.columns.kind[i] !== 0) continue
      const hashes = this.columns.hashes.subarray(i * HASHES, (i + 1) * HASHES)
      const key = Buffer.from(hashes.buffer, hashes.byteOffset, HASHES).toString('latin1')
      blocks.delete(key)
      blocks.set(key, this.idAt(i))
    }
    return [...blocks.values()]
  }

  private isBlock(i: number, id: BlockIdExt): boolean {
    const { workchain, shard, hashes } = this.columns
    if (workchain[i] !== id.workchain || shard[i] !== id.shard) return false
    for (let k = 0; k < 32; k++) {
      if (hashes[i * HASHES + k] !== id.rootHash[k] || hashes[i * HASHES + 32 + k] !== id.fileHash[k]) return false
    }
    return true
  }

  private idAt(i: number): BlockIdExt {
    const { workchain, shard, seqno, hashes } = this.columns
    return {
      workchain: workchain[i]!,
      shard: shard[i]!,
      seqno: seqno[i]!,
      rootHash: hashes.slice(i * HASHES, i * HASHES + 32),
      fileHash: hashes.slice(i * HASHES + 32, (i + 1) * HASHES),
    }
  }

  private grow(): void {
    const old = this.columns
    const grown = createColumns(old.kind.length === 0 ? 64 : old.kind.length * 2)
    grown.kind.set(old.kind)
    grown.nameLength.set(old.nameLength)
    grown.workchain.set(old.workchain)
    grown.seqno.set(old.seqno)
    grown.shard.set(old.shard)
    grown.offset.set(old.offset)
    grown.dataLength.set(old.dataLength)
    grown.hashes.set(old.hashes)
    this.columns = grown
  }
}
