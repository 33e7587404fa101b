import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { copyRows } from '../../store/copy/copyRows.ts'
import { addUnclassified } from '../../store/writer/unclassifiedBlocks.ts'
import type { IndexBatch, LinkedTraces } from '../IndexBatch.ts'
import { StaleIndexError } from './errors.ts'
import { toOpenRow } from './traceRows.ts'

/** Brings what is there in line with the traces of a batch. Rows of the batch itself are not its matter. */
export const changeTraces = async (
  client: pg.ClientBase,
  { units, linked }: Pick<IndexBatch, 'units' | 'linked'>,
): Promise<void> => {
  const { finished, touched, arrived, renamed } = linked
  const [firstSeqno, lastSeqno] = [units[0]!.seqno, units.at(-1)!.seqno]
  await deleteArrived(client, arrived)
  await rename(client, renamed)
  // What began in the batch was never open here.
  const others = [...finished, ...touched].filter(({ startSeqno: at }) => at < firstSeqno || at > lastSeqno)
  const gone = others.map(({ traceId }) => traceId).concat(renamed.map(({ from }) => from))
  if (gone.length > 0) await client.query('DELETE FROM open_traces WHERE trace_id = ANY ($1::bytea[])', [gone])
  if (touched.length > 0) await copyRows(client, 'open_traces', touched.map(toOpenRow))
  if (finished.length === 0) return
  await addUnclassified(
    client,
    finished.map(({ endSeqno }) => endSeqno),
  )
}

/** A message that arrived is from now on where its transaction is. */
const deleteArrived = async (client: pg.ClientBase, arrived: LinkedTraces['arrived']): Promise<void> => {
  if (arrived.length === 0) return
  const seqnos = arrived.map(({ seqno }) => seqno)
  // Not a join: of tables that it has not looked at yet, the server may begin with the wrong one. By lt, since that is where an
  // index takes a list; the bounds spare a look into every partition.
  const { rowCount } = await client.query(
    `DELETE FROM unreceived_messages
     WHERE created_lt = ANY ($1::bigint[]) AND hash = ANY ($2::bytea[]) AND mc_seqno BETWEEN $3 AND $4`,
    [
      arrived.map(({ createdLt }) => createdLt),
      arrived.map(({ hash }) => hash),
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
  const names = Object.fromEntries(renamed.map(({ from, to }) => [toHex(from), toHex(to)]))
  const values = [renamed.map(({ from }) => from), JSON.stringify(names)]
  const { rowCount } = await client.query(renameStatement('transactions'), values)
  if ((rowCount ?? 0) < renamed.length) {
    throw new StaleIndexError(
      `Of ${renamed.length} traces whose beginning was found, ${rowCount} transactions are there.`,
    )
  }
  await client.query(renameStatement('unreceived_messages'), values)
}

// Not a join, either.
const renameStatement = (table: string): string =>
  `UPDATE ${table} SET trace_id = decode($2::jsonb ->> encode(trace_id, 'hex'), 'hex') WHERE trace_id = ANY ($1::bytea[])`
