import type pg from 'pg'
import { copyRows } from '../../store/copy/copyRows.ts'
import type { LinkedTraces } from '../IndexBatch.ts'
import { StaleIndexError } from './errors.ts'
import { toFinishedRow, toOpenRow } from './traceRows.ts'

/** Brings what is there in line with the traces of a batch. Rows of the batch itself are not its matter. */
export const changeTraces = async (client: pg.ClientBase, linked: LinkedTraces): Promise<void> => {
  const { finished, touched, arrived, renamed } = linked
  await deleteArrived(client, arrived)
  await rename(client, renamed)
  const gone = [...finished, ...touched].map(({ traceId }) => traceId).concat(renamed.map(({ from }) => from))
  if (gone.length > 0) await client.query('DELETE FROM open_traces WHERE trace_id = ANY ($1::bytea[])', [gone])
  if (touched.length > 0) await copyRows(client, 'open_traces', touched.map(toOpenRow))
  if (finished.length > 0) await copyRows(client, 'traces', finished.map(toFinishedRow))
}

/** A message that arrived is from now on where its transaction is. */
const deleteArrived = async (client: pg.ClientBase, arrived: LinkedTraces['arrived']): Promise<void> => {
  if (arrived.length === 0) return
  const seqnos = arrived.map(({ seqno }) => seqno)
  // The bounds spare a look into every partition.
  const { rowCount } = await client.query(
    `DELETE FROM unreceived_messages u
     USING unnest($1::bytea[], $2::bigint[], $3::int[]) AS a (account, created_lt, mc_seqno)
     WHERE u.account = a.account AND u.created_lt = a.created_lt AND u.mc_seqno = a.mc_seqno
       AND u.mc_seqno BETWEEN $4 AND $5`,
    [
      arrived.map(({ account }) => account),
      arrived.map(({ createdLt }) => createdLt),
      seqnos,
      seqnos.reduce((a, b) => Math.min(a, b)),
      seqnos.reduce((a, b) => Math.max(a, b)),
    ],
  )
  if (rowCount === arrived.length) return
  throw new StaleIndexError(`Of ${arrived.length} messages that arrived, ${rowCount} were known to be under way.`)
}

/** Gives the transactions of orphans, and the messages they have under way, the trace that they turned out to belong to. */
const rename = async (client: pg.ClientBase, renamed: LinkedTraces['renamed']): Promise<void> => {
  if (renamed.length === 0) return
  const values = [renamed.map(({ from }) => from), renamed.map(({ to }) => to)]
  const { rowCount } = await client.query(renameStatement('transactions'), values)
  if ((rowCount ?? 0) < renamed.length) {
    throw new StaleIndexError(
      `Of ${renamed.length} traces whose beginning was found, ${rowCount} transactions are there.`,
    )
  }
  await client.query(renameStatement('unreceived_messages'), values)
}

const renameStatement = (table: string): string =>
  `UPDATE ${table} t SET trace_id = r.new_id FROM unnest($1::bytea[], $2::bytea[]) AS r (old_id, new_id)
   WHERE t.trace_id = r.old_id`
