import type { Cell } from '../../codec/cell/Cell.ts'
import { HashIndex } from '../../codec/cell/HashIndex.ts'
import { packCellView } from '../../codec/stored/packCell.ts'
import { addressKeyOfMsgAddress } from '../../codec/stored/packDescription.ts'
import type { MsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { ByteWriter, writeNumeric } from '../../store/schema/ByteWriter.ts'
import type { ExtraAmounts } from '../../store/schema/codes.ts'
import type { DecodedContents, EncodedRows } from '../blockSets.ts'

const ABSENT = -1
const MAX_INT8 = 2n ** 63n - 1n
const JSONB_VERSION = 1
// More than all fixed-length fields of any row built here.
const FIXED_BYTES = 1024

/**
 * Encodes rows for COPY field by field, in column order. The table-driven RowEncoder is several times slower, and nearly all rows
 * are built here.
 */
export class RowBuilder {
  private readonly w = new ByteWriter(1 << 18)
  private ends: number[] = []

  /** Discards the rows of a failed block set. */
  clear(): void {
    this.w.cutTo(0)
    this.ends = []
  }

  startRow(columns: number): void {
    this.w.reserve(FIXED_BYTES)
    this.w.int16(columns)
  }

  endRow(): void {
    this.ends.push(this.w.length)
  }

  /** The rows since the last call. */
  take(): EncodedRows {
    const ends = new Uint32Array(this.ends)
    this.ends = []
    return { bytes: this.w.take(), ends }
  }

  absent(): void {
    this.w.int32(ABSENT)
  }

  int2(value: number): void {
    this.w.int32(2)
    this.w.int16(value)
  }

  /** Unsigned 32-bit numbers are stored as signed ones with the same bits. */
  int4(value: number): void {
    this.w.int32(4)
    this.w.int32(value)
  }

  int8(value: bigint): void {
    this.w.int32(8)
    this.w.int64(value)
  }

  /** A hash or an account key. */
  bytes(value: Uint8Array): void {
    this.w.int32(value.length)
    this.w.bytes(value)
  }

  bytesOrAbsent(value: Uint8Array | undefined): void {
    if (value === undefined) this.absent()
    else this.bytes(value)
  }

  /** Bytes of any length. */
  longBytes(value: Uint8Array): void {
    this.bytes(value)
    this.w.reserve(FIXED_BYTES)
  }

  address(value: MsgAddress): void {
    if (value.kind !== 'std' || value.anycast !== undefined) {
      this.bytes(addressKeyOfMsgAddress(value))
      return
    }
    this.w.int32(ADDRESS_KEY_BYTES)
    this.w.int8(value.workchain)
    this.w.bytes(value.hash)
  }

  /** Writes an amount and returns whether it fits; one that does not is left out, for `large_amounts`. */
  amount(value: bigint): boolean {
    if (value > MAX_INT8) {
      this.absent()
      return false
    }
    this.int8(value)
    return true
  }

  numeric(value: bigint): void {
    const at = this.w.length
    this.w.int32(0)
    writeNumeric(this.w, value)
    this.w.patchInt32(at, this.w.length - at - 4)
    this.w.reserve(FIXED_BYTES)
  }

  /** A jsonb value. Key order is preserved: digests depend on it. */
  json(value: ExtraAmounts | undefined): void {
    if (value === undefined) {
      this.absent()
      return
    }
    const at = this.w.length
    this.w.int32(0)
    this.w.int8(JSONB_VERSION)
    this.w.text(JSON.stringify(value))
    this.w.patchInt32(at, this.w.length - at - 4)
    this.w.reserve(FIXED_BYTES)
  }
}

/** Concatenated hashes. */
export class HashList {
  private bytes = new Uint8Array(32 * 256)
  private length = 0

  clear(): void {
    this.length = 0
  }

  push(hash: Uint8Array): void {
    if (this.length === this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2)
      grown.set(this.bytes)
      this.bytes = grown
    }
    this.bytes.set(hash, this.length)
    this.length += 32
  }

  /** All hashes, in a buffer of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }
}

/** Collects bodies and initial states without duplicates. */
export class ContentBuilder {
  private readonly rows = new RowBuilder()
  private readonly known = new HashIndex()
  private readonly hashes = new HashList()

  clear(): void {
    this.rows.clear()
    this.known.clear()
    this.hashes.clear()
  }

  /** Adds the cell and returns its hash. */
  add(cell: Cell): Uint8Array {
    const hash = cell.hash()
    if (this.known.find(cell) < 0) {
      this.known.add(cell)
      this.hashes.push(hash)
      this.rows.startRow(2)
      this.rows.bytes(hash)
      this.rows.longBytes(packCellView(cell))
      this.rows.endRow()
    }
    return hash
  }

  take(): DecodedContents {
    return { count: this.known.size, hashes: this.hashes.take(), rows: this.rows.take() }
  }
}

const CHUNK_BYTES = 1 << 14

/** Copies short byte strings into a few large buffers, which are transferred between threads. */
export class ByteArena {
  private chunk = new Uint8Array(0)
  private used = 0

  keep(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const { length } = bytes
    if (this.used + length > this.chunk.length) {
      this.chunk = new Uint8Array(Math.max(CHUNK_BYTES, length))
      this.used = 0
    }
    const kept = this.chunk.subarray(this.used, this.used + length)
    kept.set(bytes)
    this.used += length
    return kept
  }
}
