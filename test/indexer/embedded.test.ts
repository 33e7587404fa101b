import { after, test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { checkIndexedNetwork, indexBusyNetwork } from '../support/indexedNetwork.ts'
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

test('a busy network is indexed while it runs: transactions, messages, accounts and traces', {
  timeout: 280_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const indexed = await indexBusyNetwork(t, database, {
    transactions: isLong ? 1500 : 500,
    payers: isLong ? 40 : 20,
    seed: 5,
  })
  t.diagnostic(JSON.stringify(await checkIndexedNetwork(indexed, database)))
})
