import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { serveV3, startV3Network } from '../support/v3Service.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

const addresses = Array.from({ length: 150 }, (_, k) => `address=0:${k.toString(16).padStart(64, '0')}`).join('&')

/** Requests that take the slow lane, and some that fail there. */
const longRequests = [
  '/transactions?limit=1000',
  '/transactions?limit=101&sort=asc',
  '/messages?limit=1000',
  '/traces?limit=500&include_actions=true',
  '/actions?limit=500&include_transactions=true',
  '/blocks?limit=300',
  '/jetton/transfers?limit=1000',
  '/transactions?limit=1000&offset=-1',
  '/transactions?limit=1000&account=nonsense',
  `/accountStates?${addresses}`,
  `/addressBook?${addresses}`,
]

test('long requests get the same answers from the slow lane', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const network = await startV3Network(t, database, { network: { demo: true } })
  await network.mine(6)
  const plain = await serveV3(t, database)
  const lane = await serveV3(t, database, { slowLane: {} })
  for (const prefix of ['/api/v3', '/ton/api/v3'])
    for (const path of longRequests) {
      const [expected, actual] = await Promise.all([plain, lane].map(({ url }) => fetch(`${url}${prefix}${path}`)))
      assert.equal(actual!.status, expected!.status, path)
      assert.equal(await actual!.text(), await expected!.text(), path)
      for (const name of ['x-next-cursor', 'x-indexed-seqno', 'content-type'])
        assert.equal(actual!.headers.get(name), expected!.headers.get(name), `${path}: ${name}`)
    }
  // Many at once, of which some callers leave: the lane goes on with the others.
  const leaving = Array.from({ length: 10 }, () =>
    fetch(`${lane.url}/api/v3/transactions?limit=1000`, { signal: AbortSignal.timeout(5) }).then(
      (response) => response.text(),
      () => '',
    ),
  )
  const staying = Array.from({ length: 10 }, () => fetch(`${lane.url}/api/v3/blocks?limit=200`))
  await Promise.all(leaving)
  for (const response of await Promise.all(staying)) assert.equal(response.status, 200)
  assert.deepEqual(lane.logLines, [])
})

test('a thread without requests ends, and the next long request starts another', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await startV3Network(t, database)
  const { url, logLines } = await serveV3(t, database, { slowLane: { idleMs: 100 } })
  const countConnections = () =>
    database.transaction(async (client) => {
      const { rows } = await client.query<{ count: bigint }>(
        'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
      )
      return Number(rows[0]!.count)
    })
  const before = await countConnections()
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`${url}/api/v3/blocks?limit=200`)
    assert.equal(response.status, 200)
    await response.arrayBuffer()
    assert.ok((await countConnections()) > before, 'the thread has connections of its own')
    await waitUntil('the end of the thread', async () => (await countConnections()) <= before)
  }
  assert.deepEqual(logLines, [])
})
