import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLogger } from '../../src/observe/Logger.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { openClient } from '../../src/store/connect/openClient.ts'
import { isAlive } from '../../src/store/embedded/ServerFolder.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/store/embedded/startEmbeddedServer.ts'
import { listMigrations, migrateDatabase } from '../../src/store/migrate/migrateDatabase.ts'

export const silentLogger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => {} })

const { signal } = new AbortController()

/** A server of another version to test with, by a URL whose user may create databases; else the embedded one is. */
export const namedServer = process.env['CHAINCENTER_TEST_DATABASE'] || undefined

/**
 * A server for databases that are thrown away: the one that `CHAINCENTER_TEST_DATABASE` names, or else an embedded one. All test
 * processes of this user share that, also those of other runs: the first starts it, the last stops it, and its folder stays for the
 * next.
 */
export const startTestServer = async (): Promise<Pick<EmbeddedServer, 'url' | 'stop'>> =>
  namedServer !== undefined
    ? { url: namedServer, stop: async () => {} }
    : startEmbeddedServer({
        folder: join(tmpdir(), `chaincenter-test-postgres-${process.getuid?.() ?? 'user'}`),
        logger: silentLogger,
        signal,
        durability: 'none',
      })

export type TestDatabase = { readonly url: string; drop(): Promise<void> }

/** A new database on a server, with every migration applied, or empty. */
export const createTestDatabase = async (serverUrl: string, content: 'migrated' | 'empty'): Promise<TestDatabase> => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  const ask = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = await openClient({ url: serverUrl, name: 'test', statementTimeoutMs: 0 })
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }
  await ask(async (client) => {
    await dropAbandoned(client)
    const template = content === 'empty' ? 'template0' : await makeTemplate(client, serverUrl)
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  })
  return {
    url: withDatabase(serverUrl, name),
    drop: () => ask((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

/** A fresh database for more than one test. Closing it drops it, and leaves the server. */
export const openTestDatabase = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const server = await startTestServer()
  const { url, drop } = await createTestDatabase(server.url, 'migrated')
  return {
    url,
    close: async () => {
      await drop()
      await server.stop()
    },
  }
}

const withDatabase = (url: string, name: string): string => url.replace(/\/[^/?]*(?=\?|$)/, `/${name}`)

const TEMPLATE_LOCK = 7_461_201

/** The migrated database that all others are copies of, by the content of the migrations. Made once, whoever comes first. */
const makeTemplate = async (client: pg.Client, serverUrl: string): Promise<string> => {
  const hash = toHex(sha256(concatBytes(listMigrations().map(({ checksum }) => checksum)))).slice(0, 16)
  const name = `template_${hash}`
  const building = `building_${hash}`
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 1) return name
    await client.query(`DROP DATABASE IF EXISTS ${building} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${building} TEMPLATE template0`)
    const builder = await openClient({ url: withDatabase(serverUrl, building), name: 'test', statementTimeoutMs: 0 })
    await migrateDatabase(builder, { logger: silentLogger, signal }).finally(() => builder.end())
    await client.query(`ALTER DATABASE ${building} RENAME TO ${name}`)
    return name
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

/** What processes left that were killed. */
const dropAbandoned = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`,
  )
  for (const { datname } of rows) {
    const pid = Number(datname.split('_')[1])
    if (!isAlive(pid)) await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`)
  }
}
