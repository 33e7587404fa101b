import type { Database } from '../../store/connect/Database.ts'
import type { Lease } from '../../store/lease/Lease.ts'
import { clearLookups } from '../../store/retention/clearLookups.ts'
import { dropBefore } from '../../store/retention/dropBefore.ts'
import type { ClassifyCommitted } from '../commit/commitBatch.ts'
import { IndexWriter } from '../commit/IndexWriter.ts'
import { type LoadOptions, loadIndexState } from '../commit/loadIndexState.ts'
import { loadOpenTraces } from '../commit/loadOpenTraces.ts'
import type { IndexStore } from './IndexStore.ts'

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
