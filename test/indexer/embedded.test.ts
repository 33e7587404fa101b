import { after, test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { checkIndexedNetwork, indexBusyNetwork } from '../support/indexedNetwork.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

test('a busy network is indexed while it runs: transactions, messages, accounts and traces', {
  timeout: 280_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const indexed = await indexBusyNetwork(t, database, { transactions: 1500, payers: 40, seed: 5 })
  t.diagnostic(JSON.stringify(await checkIndexedNetwork(indexed, database)))
})
