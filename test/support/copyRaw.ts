import type pg from 'pg'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import type { CopyRow, Table } from '../../src/store/schema/columns.ts'
import { tables } from '../../src/store/schema/tables.ts'
import { copyChunks, RowEncoder } from '../../src/store/writer/copyRows.ts'
import { createPartition, readPartitionMap } from '../../src/store/writer/partitions.ts'
import { createTestDatabase, silentLogger } from './databaseServer.ts'

export type RawCopy = { readonly seconds: number; readonly transactionsSeconds: number; readonly rows: number }

const notCopied = new Set(['schema_migrations', 'leases'])

type Encoded = { readonly table: string; readonly columns: readonly string[]; readonly chunks: readonly Uint8Array[] }

/** Copies all rows of an index, encoded beforehand, into an empty one with the same tables and indexes, in one transaction. */
export const copyRaw = async (from: Database, serverUrl: string): Promise<RawCopy> => {
  const encoded: Encoded[] = []
  let rows = 0
  const partitions = await from.transaction(async (client) => {
    for (const [name, table] of Object.entries(tables)) {
      if (notCopied.has(name)) continue
      const read = await readRows(client, name, table)
      rows += read.rows
      encoded.push({ table: name, ...read })
    }
    return readPartitionMap(client)
  })
  const { url, drop } = await createTestDatabase(serverUrl, 'migrated')
  const to = await connectDatabase({ url, logger: silentLogger, signal: new AbortController().signal })
  try {
    await to.transaction(async (client) => {
      for (const span of partitions.spans()) await createPartition(client, span)
    })
    let transactionsSeconds = 0
    const start = performance.now()
    await to.transaction(async (client) => {
      for (const { table, columns, chunks } of encoded) {
        const began = performance.now()
        if (chunks.length > 0) await copyChunks(client, table, columns, chunks)
        if (table === 'transactions') transactionsSeconds = (performance.now() - began) / 1000
      }
    })
    return { seconds: (performance.now() - start) / 1000, transactionsSeconds, rows }
  } finally {
    await to.close()
    await drop()
  }
}

const CHUNK_ROWS = 1000

const readRows = async (client: pg.ClientBase, name: string, table: Table) => {
  const encoder = new RowEncoder(table)
  const { rows } = await client.query<CopyRow<Table>>(`SELECT ${Object.keys(table).join(', ')} FROM ${name}`)
  const chunks: Uint8Array[] = []
  for (const row of rows) {
    encoder.add(row)
    if (encoder.rows === CHUNK_ROWS) chunks.push(encoder.take())
  }
  if (encoder.rows > 0) chunks.push(encoder.take())
  return { rows: rows.length, columns: encoder.columns, chunks }
}
