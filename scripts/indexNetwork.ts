// node --import tsx scripts/indexNetwork.ts [--transactions 5000] [--payers 120] [--seed 1]
// Keeps an embedded network of four shards busy while it is indexed, and then holds every transaction, message, trace and account in
// the database against the blocks, as another library reads them, and against the live interface.
import { parseArgs } from 'node:util'
import { connectDatabase } from '../src/store/connect/connectDatabase.ts'
import { createTestDatabase, silentLogger, startTestServer } from '../test/support/databaseServer.ts'
import { checkIndexedNetwork, indexBusyNetwork } from '../test/support/indexedNetwork.ts'
import { closeSharedMachine } from '../test/support/testNetwork.ts'

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '5000' },
    payers: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
  },
})
const [transactions, payers, seed] = [values.transactions, values.payers, values.seed].map(Number)
if (![transactions, payers, seed].every((value) => Number.isSafeInteger(value) && value! > 0)) {
  console.error('--transactions, --payers and --seed are whole numbers above 0.')
  process.exit(2)
}

const endings: (() => unknown)[] = []
const server = await startTestServer()
const { url, drop } = await createTestDatabase(server.url, 'migrated')
const database = await connectDatabase({ url, logger: silentLogger, signal: new AbortController().signal })
try {
  const after = (ending: () => unknown): void => void endings.push(ending)
  const options = { transactions: transactions!, payers: payers!, seed: seed! }
  const indexed = await indexBusyNetwork({ after }, database, options)
  console.log(JSON.stringify(await checkIndexedNetwork(indexed, database)))
} finally {
  for (const ending of endings.reverse()) await ending()
  await closeSharedMachine()
  await database.close()
  await drop()
  await server.stop()
}
