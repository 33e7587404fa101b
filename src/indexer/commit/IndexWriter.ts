import type { Database } from '../../store/connect/Database.ts'
import type { Lease } from '../../store/lease/Lease.ts'
import { partitionStart } from '../../store/partitions/dividedTables.ts'
import { ensurePartitions } from '../../store/partitions/ensurePartitions.ts'
import type { CoveredRange } from '../../store/ranges/coveredRanges.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { CommitMemory, type Committed } from './CommitMemory.ts'
import { type ClassifyCommitted, commitBatch } from './commitBatch.ts'
import type { Side } from './placeBatch.ts'

export type IndexWriterOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly lease: Pick<Lease, 'guard'>
  readonly partitionWidth: number
  readonly classify?: ClassifyCommitted | undefined
}

/** The only one who adds blocks to the index. It is made for a lease and lasts as long; batches come in order. */
export class IndexWriter {
  readonly #options: IndexWriterOptions
  readonly #memory = new CommitMemory()
  readonly #partitions = new Set<number>()
  #underWay: Promise<unknown> | undefined

  constructor(options: IndexWriterOptions) {
    this.#options = options
  }

  /**
   * Writes a batch whole or not at all, and returns the range that it is part of now. Where the one before is still being written,
   * the rows that depend on nothing go to the server beside it, and the rest when it is done. A failure may have come after the batch
   * was written, when the connection broke: whoever tries again looks at the covered ranges first.
   */
  commit(batch: IndexBatch, side: Side, now: Date = new Date()): Promise<CoveredRange> {
    const written = this.#write(batch, side, now, this.#underWay)
    const underWay = written
      .catch(() => undefined)
      .finally(() => {
        if (this.#underWay === underWay) this.#underWay = undefined
      })
    this.#underWay = underWay
    return written
  }

  async #write(batch: IndexBatch, side: Side, now: Date, before: Promise<unknown> | undefined): Promise<CoveredRange> {
    const { database, lease, classify } = this.#options
    const memory = this.#memory
    let committed: Committed
    try {
      await this.#ensurePartitions(batch)
      committed = await database.transaction((client) =>
        commitBatch(client, batch, { side, lease, now, memory, before, classify }),
      )
    } catch (error) {
      this.forget()
      throw error
    }
    memory.keep(batch, committed)
    return committed.range
  }

  /** Forgets what it believes to be there. To be called when somebody else has changed the index: after a rewind, for one. */
  forget(): void {
    this.#memory.forget()
    this.#partitions.clear()
  }

  async #ensurePartitions({ units }: IndexBatch): Promise<void> {
    const { database, partitionWidth } = this.#options
    const starts = new Set(units.map(({ seqno }) => partitionStart(seqno, partitionWidth)))
    const missing = [...starts].filter((start) => !this.#partitions.has(start))
    if (missing.length === 0) return
    await ensurePartitions(database, missing, partitionWidth)
    for (const start of missing) this.#partitions.add(start)
  }
}
