import { hostname } from 'node:os'
import type { Database } from '../../store/connect/Database.ts'
import { acquireLease, type LeaseOptions } from '../../store/lease/acquireLease.ts'
import type { Lease } from '../../store/lease/Lease.ts'
import { endHungWriters } from '../../store/writer/endHungWriters.ts'

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
