// A server of the v3 interface in a process of its own, over a database that is given by its URL. Without a size of its cache of texts it
// reads and writes every transaction anew.
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import { openV3 } from '../../src/cli/serve/openV3.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { serveParent } from './benchChild.ts'

const [databaseUrl = '', textCacheBytes = '0'] = process.argv.slice(2)
const logged: string[] = []
const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => void logged.push(line) })
const database = await connectDatabase({ url: databaseUrl, logger, signal: new AbortController().signal })
const settings = { testOnly: false }
const { mounts } = await openV3({
  database,
  live: undefined,
  dialect: 'chain',
  settings,
  textCacheBytes: Number(textCacheBytes),
})
const { url } = await createHttpServer({ mounts, logger, host: '127.0.0.1', port: 0 })
serveParent({ url }, logged)
