import type pg from 'pg'

/** Tells all who watch the channel, when the transaction commits. The payload is short: a number, not a row. */
export const sendHint = async (client: pg.ClientBase, channel: string, payload: string): Promise<void> => {
  await client.query('SELECT pg_notify($1, $2)', [channel, payload])
}
