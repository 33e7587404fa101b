import { hostname } from 'node:os'
import type { Database } from '../../store/connect/Database.ts'
import { endHungWriters } from '../../store/writer/indexState.ts'
import { acquireLease, type Lease, type LeaseOptions } from '../../store/writer/lease.ts'

/** The right to write to the index, for one process at a time. */
export const acquireIndexerLease = (
  database: Pick<Database, 'openConnection'>,
  options: Omit<LeaseOptions, 'name' | 'holder'>,
): Promise<Lease> =>
  acquireLease(database, {
    name: 'indexer',
    holder: `${hostname()}, process ${process.pid}`,
    beforeTaking: endHungWriters,
    ...options,
  })
