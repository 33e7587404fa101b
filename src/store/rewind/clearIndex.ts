import type { Database } from '../connect/Database.ts'
import { keyTables } from '../keyTables.ts'
import type { Lease } from '../lease/Lease.ts'
import { indexedChannel } from '../notify/indexedChannel.ts'
import { sendHint } from '../notify/sendHint.ts'
import { dividedTables } from '../partitions/dividedTables.ts'
import { dropPartitions } from '../partitions/dropPartitions.ts'
import { listPartitions } from '../partitions/listPartitions.ts'
import { tables } from '../tables.ts'
import { lockIndex } from '../writer/lockIndex.ts'

// Codes are what they are in every network, metadata belongs to whoever fetched it, and keys to those who have them.
const KEPT: readonly string[] = [
  ...['schema_migrations', 'leases', 'codes', 'address_metadata'],
  ...dividedTables,
  ...Object.keys(keyTables),
]

/** Empties the index, so that it can be begun anew, with another network even. */
export const clearIndex = (database: Pick<Database, 'transaction'>, lease: Pick<Lease, 'guard'>): Promise<void> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    await dropPartitions(
      client,
      (await listPartitions(client)).map(({ name }) => name),
    )
    const emptied = Object.keys(tables).filter((name) => !KEPT.includes(name))
    await client.query(`TRUNCATE ${emptied.join(', ')}`)
    await sendHint(client, indexedChannel, '0-0')
    await lease.guard(client)
  })
