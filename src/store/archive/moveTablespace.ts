import pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { endClient } from '../connect/openClient.ts'
import { toDatabaseError } from '../errors.ts'
import { lowestKept } from '../schema/PartitionMap.ts'
import { listPartitions, readPartitionMap } from '../writer/partitions.ts'
import { ArchiveError } from './manifest.ts'

export type MoveOptions = {
  readonly tablespace: string
  /** Partitions that end below this masterchain block are moved. */
  readonly before: number
  readonly signal: AbortSignal
  readonly onStep?: (step: { readonly table: string; readonly bytes: number }) => void
}

/**
 * Moves old partitions with their indexes to a tablespace, one after the other. What is there already stays, so an interrupted move goes on
 * where it was. Readers of a table wait while it is copied.
 */
export const moveTablespace = async (
  database: Pick<Database, 'openConnection'>,
  { tablespace, before, signal, onStep }: MoveOptions,
): Promise<{ readonly tables: number; readonly bytes: number }> => {
  const client = await database.openConnection('move')
  try {
    await client.query('SET statement_timeout TO 0')
    const { rowCount } = await client.query('SELECT FROM pg_tablespace WHERE spcname = $1', [tablespace])
    if (rowCount === 0) {
      throw new ArchiveError(
        `The server has no tablespace ${tablespace}. Make one in the database: CREATE TABLESPACE … LOCATION '/mount/of/the/disk'`,
      )
    }
    const end = lowestKept(await readPartitionMap(client), before)
    const old = (await listPartitions(client)).filter(({ start }) => start < end)
    let tables = 0
    let bytes = 0
    for (const { name } of old) {
      const relations = await listRelations(client, name, tablespace)
      for (const { relation, kind } of relations) {
        signal.throwIfAborted()
        const what = kind === 'r' ? 'TABLE' : 'INDEX'
        await client.query(
          `ALTER ${what} ${pg.escapeIdentifier(relation)} SET TABLESPACE ${pg.escapeIdentifier(tablespace)}`,
        )
      }
      if (relations.length === 0) continue
      const moved = relations.reduce((sum, relation) => sum + Number(relation.bytes), 0)
      tables++
      bytes += moved
      onStep?.({ table: name, bytes: moved })
    }
    return { tables, bytes }
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

/** A table and its indexes, as far as they are elsewhere. */
const listRelations = async (
  client: pg.ClientBase,
  table: string,
  tablespace: string,
): Promise<readonly { readonly relation: string; readonly kind: string; readonly bytes: bigint }[]> => {
  const { rows } = await client.query(
    `SELECT c.relname AS relation, c.relkind AS kind, pg_relation_size(c.oid) AS bytes
     FROM pg_class c
     WHERE (c.oid = $1::regclass OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass))
       AND c.reltablespace <> (SELECT CASE WHEN d.dattablespace = s.oid THEN 0 ELSE s.oid END
         FROM pg_tablespace s, pg_database d WHERE s.spcname = $2 AND d.datname = current_database())
     ORDER BY c.relkind DESC, c.relname`,
    [table, tablespace],
  )
  return rows
}
