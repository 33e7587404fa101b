import type pg from 'pg'
import { LOCK_KEY, WRITER_KEY } from './lockIndex.ts'

const HUNG_SECONDS = 5

/**
 * Ends the transactions of those who lock the index, or have rows for it, and have fallen silent in the middle. Whoever writes leads, and has lost that when
 * somebody else asks for this: it was stopped, or cut off. Without this, the next one would wait for the server to notice, for minutes.
 */
export const endHungWriters = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((l.classid::bigint << 32) | l.objid::bigint) = ANY ($1::bigint[])
       AND a.wait_event = 'ClientRead' AND a.xact_start < clock_timestamp() - make_interval(secs => $2)`,
    [[LOCK_KEY, WRITER_KEY], HUNG_SECONDS],
  )
}
