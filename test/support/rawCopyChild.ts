// Copies the rows of databases that its parent names into empty ones, and tells how long each copy took.
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { copyRaw } from './copyRaw.ts'
import { silentLogger } from './databaseServer.ts'
import type { CopyJob } from './rawCopier.ts'

process.on('message', async ({ url, serverUrl }: CopyJob) => {
  const database = await connectDatabase({ url, logger: silentLogger, signal: new AbortController().signal })
  try {
    process.send?.(await copyRaw(database, serverUrl))
  } finally {
    await database.close()
  }
})
process.on('disconnect', () => process.exit(0))
