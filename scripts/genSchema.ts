// Writes src/store/schema.sql: the tables as they are after all migrations. With --check it compares instead.
import { openClient } from '../src/store/connect/openClient.ts'
import { findPackage } from '../src/store/embedded/programs.ts'
import { createTestDatabase, startTestServer } from '../test/support/databaseServer.ts'
import { dumpSchema } from '../test/support/dumpSchema.ts'
import { writeGenerated } from './writeGenerated.ts'

const readSchema = async (): Promise<string> => {
  const server = await startTestServer()
  try {
    const { url, drop } = await createTestDatabase(server.url, 'migrated')
    const client = await openClient({ url, name: 'schema', statementTimeoutMs: 0 })
    try {
      return await dumpSchema(client)
    } finally {
      await client.end()
      await drop()
    }
  } finally {
    await server.stop()
  }
}

if (findPackage() === undefined) {
  console.error('NOT CHECKED: src/store/schema.sql, since PostgreSQL for this platform is not installed.')
} else {
  const head = '-- Written by scripts/genSchema.ts from src/store/migrations; do not edit.\n\n'
  writeGenerated('src/store/schema.sql', head + (await readSchema()))
}
