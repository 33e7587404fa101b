import type { Database } from '../../store/connect/Database.ts'
import { clearLookups, type Dropped, dropBefore } from '../../store/maintenance/retention.ts'
import { lowestKept, PartitionMap } from '../../store/schema/PartitionMap.ts'
import type { Lease } from '../../store/writer/lease.ts'
import { readPartitionMap } from '../../store/writer/partitions.ts'
import type { DecodedBlockSet, RawBlockSet } from '../blockSets.ts'
import { type ClassifyCommitted, IndexWriter } from '../commit/IndexWriter.ts'
import { type LoadOptions, loadIndexState, type Side } from '../commit/indexState.ts'
import { loadOpenTraces } from '../commit/traces.ts'
import type { IndexBatch, InspectedContracts, OpenTraces, ResolvedAccount } from '../IndexBatch.ts'
import type { AccountResolver, BlockSetSource } from '../ports.ts'

/** A range of completely indexed masterchain blocks. */
export type SeqnoRange = { readonly first: number; readonly last: number }

/** A covered range and its open traces. */
export type OpenRange = SeqnoRange & { readonly open: OpenTraces }

/** The state of the stored index. */
export type StoredIndex = {
  /** The covered ranges, lowest first. */
  readonly ranges: readonly OpenRange[]
  /** Blocks below were dropped by retention and are not indexed again. */
  readonly retainedFrom: number
  /** Masterchain blocks of a partition at most. */
  readonly partitionWidth: number
}

/** Stores the index. */
export interface IndexStore {
  load(): Promise<StoredIndex>
  /**
   * Writes a batch and its covered range in one transaction. The next batch may be given before this one is committed: it is
   * committed after it or not at all.
   */
  commit(batch: IndexBatch, side: Side): Promise<void>
  /** The first block that stays if history before a block is dropped. Partitions are dropped as a whole. */
  lowestKept(seqno: number): number
  /** Drops whole partitions before a block. The index state must be reloaded afterwards. */
  dropBefore(seqno: number): Promise<Dropped>
  /** Cleans up after {@link dropBefore}. Writes continue meanwhile. */
  clearBefore(seqno: number, signal: AbortSignal): Promise<void>
}

type WorkState = Pick<Database, 'transaction'>

/** Stores the index in a database, while the lease is held. */
export const createIndexStore = (
  database: WorkState,
  lease: Pick<Lease, 'guard'>,
  { classify, ...options }: LoadOptions & { readonly classify?: ClassifyCommitted | undefined },
): IndexStore => {
  let writer: IndexWriter | undefined
  let partitions = new PartitionMap([])
  return {
    load: async () => {
      const { state, ranges } = await loadIndexState(database, options)
      writer = new IndexWriter({ database, lease, partitionWidth: state.partitionWidth, classify })
      const { retainedFrom, partitionWidth } = state
      const opened = await database.transaction(async (client) => {
        partitions = await readPartitionMap(client)
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
      if (writer === undefined) throw new TypeError('Load the index state before committing.')
      await writer.commit(batch, side)
    },
    lowestKept: (seqno) => lowestKept(writer?.partitions ?? partitions, seqno),
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

/** The stages that read accounts. */
export type AccountStages = {
  readonly resolver: AccountResolver
  readonly inspect: (
    blockSets: readonly DecodedBlockSet[],
    resolved: readonly ResolvedAccount[],
    signal: AbortSignal,
  ) => Promise<InspectedContracts>
}

/** The stages of the pipeline. */
export type IndexerStages = {
  readonly source: BlockSetSource
  readonly decode: (blockSet: RawBlockSet, signal: AbortSignal) => Promise<DecodedBlockSet>
  readonly store: IndexStore
  readonly looks: AccountStages
  /** For blocks whose states are no longer available: uses the latest states instead. */
  readonly historyStages?: (newest: () => number) => AccountStages
}
