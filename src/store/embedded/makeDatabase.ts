import pg from 'pg'
import { EmbeddedServerError, reasonOf } from './errors.ts'

/** Makes the database that a URL names, where the server does not have it yet. That it can be asked is proof that it is ours. */
export const makeDatabase = async (url: string, name: string): Promise<void> => {
  const admin = new URL(url.replace('@/', '@localhost/'))
  const client = new pg.Client({
    host: admin.searchParams.get('host') ?? admin.hostname,
    port: Number(admin.searchParams.get('port') ?? admin.port),
    user: admin.username,
    password: admin.password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } catch (cause) {
    throw new EmbeddedServerError(`The database server that was started cannot be used: ${reasonOf(cause)}.`, { cause })
  } finally {
    await client.end()
  }
}

const CONNECT_MS = 10_000
