import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { connectDatabase, type DatabaseOptions } from '../../src/store/connect/connectDatabase.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { openClient } from '../../src/store/connect/openClient.ts'
import { findPackage } from '../../src/store/embedded/programs.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/store/embedded/startEmbeddedServer.ts'
import { migrateDatabase } from '../../src/store/migrate/migrateDatabase.ts'
import { createTestDatabase, namedServer, silentLogger, startTestServer } from './databaseServer.ts'

let server: ReturnType<typeof startTestServer> | undefined

after(async () => (await server)?.stop())

/** Where there is no database server to test with, why a test or a suite is skipped; else `false`. */
export const missingDatabase = (): string | false =>
  namedServer !== undefined || findPackage() !== undefined
    ? false
    : 'NOT TESTED: the optional package with PostgreSQL for this platform is not installed.'

/** Whether there is a database server to test with; where there is none, the test is skipped and says so. */
export const haveDatabase = (t: Pick<TestContext, 'skip'>): boolean => {
  const missing = missingDatabase()
  if (missing !== false) t.skip(missing)
  return missing === false
}

/** The URL of a fresh database, which is dropped after the test. Ask `haveDatabase` first. */
export const freshDatabase = async (
  t: Pick<TestContext, 'after'>,
  content: 'migrated' | 'empty' = 'migrated',
): Promise<string> => {
  server ??= startTestServer()
  const { url, drop } = await createTestDatabase((await server).url, content)
  t.after(drop)
  return url
}

/** A fresh database, connected. */
export const openFreshDatabase = async (t: TestContext, options: Partial<DatabaseOptions> = {}): Promise<Database> => {
  const url = options.url ?? (await freshDatabase(t))
  const { signal } = new AbortController()
  const database = await connectDatabase({ url, logger: silentLogger, signal, ...options })
  t.after(() => database.close())
  return database
}

/** A folder for servers of the test's own, to be killed and otherwise mistreated. What still runs after the test is stopped. */
export const serverFolder = (
  t: TestContext,
  inside = '',
): { readonly folder: string; start(): Promise<EmbeddedServer> } => {
  const root = mkdtempSync(join(tmpdir(), 'chaincenter-test-'))
  const folder = join(root, inside)
  const started: EmbeddedServer[] = []
  t.after(async () => {
    await Promise.all(started.map((each) => each.stop()))
    rmSync(root, { recursive: true, force: true })
  })
  const { signal } = new AbortController()
  return {
    folder,
    start: async () => {
      const one = await startEmbeddedServer({ folder, logger: silentLogger, signal, durability: 'none' })
      started.push(one)
      return one
    },
  }
}

/** Gives a server of the test's own the tables of an index. */
export const migrateServer = async (url: string): Promise<void> => {
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 0 })
  await migrateDatabase(client, { logger: silentLogger, signal: new AbortController().signal }).finally(() =>
    client.end(),
  )
}
