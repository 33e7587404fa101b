import type { Cell } from '../../codec/cell/Cell.ts'
import { HashIndex } from '../../codec/cell/HashIndex.ts'
import { packCellView } from '../../codec/stored/packCell.ts'
import type { DecodedContents } from '../DecodedUnit.ts'
import { HashList } from './HashList.ts'
import { RowBuilder } from './RowBuilder.ts'

/** Collects bodies and initial states of messages, each once. */
export class ContentBuilder {
  private readonly rows = new RowBuilder()
  private readonly known = new HashIndex()
  private readonly hashes = new HashList()

  clear(): void {
    this.rows.clear()
    this.known.clear()
    this.hashes.clear()
  }

  /** Keeps the cell, and returns its hash. */
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
