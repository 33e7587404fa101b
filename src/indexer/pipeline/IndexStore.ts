import type { Database } from '../../store/connect/Database.ts'
import { clearLookups, type Dropped, dropBefore } from '../../store/maintenance/retention.ts'
import type { Lease } from '../../store/writer/lease.ts'
import type { DecodedUnit, RawUnit } from '../blockSets.ts'
import { type ClassifyCommitted, IndexWriter } from '../commit/IndexWriter.ts'
import { type LoadOptions, loadIndexState, type Side } from '../commit/indexState.ts'
import { loadOpenTraces } from '../commit/traces.ts'
import type { IndexBatch, InspectedContracts, OpenTraces, ResolvedAccount } from '../IndexBatch.ts'
import type { AccountResolver, UnitSource } from '../ports.ts'

/** Masterchain blocks whose rows are all there. */
export type SeqnoRange = { readonly first: number; readonly last: number }

/** A covered range and what is unfinished in it. */
export type OpenRange = SeqnoRange & { readonly open: OpenTraces }

/** What is there. */
export type StoredIndex = {
  /** The covered ranges, the lowest first. */
  readonly ranges: readonly OpenRange[]
  /** Blocks below it were dropped and are not taken again. */
  readonly retainedFrom: number
  /** History is dropped in pieces of so many blocks. */
  readonly partitionWidth: number
}

/** Keeps what was indexed. */
export interface IndexStore {
  load(): Promise<StoredIndex>
  /**
   * Writes a batch and, in the same transaction, what is covered. The next may be given before it is done: that one is there after it
   * or not at all.
   */
  commit(batch: IndexBatch, side: Side): Promise<void>
  /** Drops the history before a block, as far as whole pieces of it are before. What is there is to be loaded anew. */
  dropBefore(seqno: number): Promise<Dropped>
  /** Clears away what dropped history has left behind. Others may write meanwhile. */
  clearBefore(seqno: number, signal: AbortSignal): Promise<void>
}

type Place = Pick<Database, 'transaction'>

/** Keeps the index in a database, as long as the lease is held. */
export const createIndexStore = (
  database: Place,
  lease: Pick<Lease, 'guard'>,
  { classify, ...options }: LoadOptions & { readonly classify?: ClassifyCommitted | undefined },
): IndexStore => {
  let writer: IndexWriter | undefined
  return {
    load: async () => {
      const { state, ranges } = await loadIndexState(database, options)
      writer = new IndexWriter({ database, lease, partitionWidth: state.partitionWidth, classify })
      const { retainedFrom, partitionWidth } = state
      const opened = await database.transaction(async (client) => {
        const all = []
        for (const range of ranges) {
          const open = await loadOpenTraces(client, range)
          all.push({ first: range.firstSeqno, last: range.lastSeqno, open })
        }
        return all
      })
      return { ranges: opened, retainedFrom, partitionWidth }
    },
    commit: async (batch, side) => {
      if (writer === undefined) throw new TypeError('What is there is loaded before anything is added to it.')
      await writer.commit(batch, side)
    },
    dropBefore: async (seqno) => {
      try {
        return await dropBefore(database, seqno, lease)
      } finally {
        writer?.forget()
      }
    },
    clearBefore: async (seqno, signal) => {
      await clearLookups(database, seqno, signal)
    },
  }
}

/** The stages that look at accounts. */
export type Looks = {
  readonly resolver: AccountResolver
  readonly inspect: (
    units: readonly DecodedUnit[],
    resolved: readonly ResolvedAccount[],
    signal: AbortSignal,
  ) => Promise<InspectedContracts>
}

/** The stages, as the pipeline joins them. */
export type IndexerParts = {
  readonly source: UnitSource
  readonly decode: (unit: RawUnit, signal: AbortSignal) => Promise<DecodedUnit>
  readonly store: IndexStore
  readonly looks: Looks
  /** For blocks of which nobody has the states any more: it looks at what is left of them. */
  readonly looksBack?: (newest: () => number) => Looks
}
