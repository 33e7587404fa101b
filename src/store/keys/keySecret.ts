import type pg from 'pg'

/** The mark of the secret that the hashes in this database are made with: this one, if there was none yet. */
export const settleSecretMark = async (client: pg.ClientBase, mark: Uint8Array): Promise<Uint8Array> => {
  // One at a time, so that two who begin at once do not begin with two secrets.
  await client.query('LOCK TABLE api_key_secret IN SHARE ROW EXCLUSIVE MODE')
  const { rows } = await client.query<{ mark: Buffer }>('SELECT mark FROM api_key_secret')
  if (rows[0] !== undefined) return rows[0].mark
  await client.query('INSERT INTO api_key_secret (mark) VALUES ($1)', [mark])
  return mark
}
