import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshCitusDatabase, missingCitus } from '../support/citus.ts'
import { openFreshDatabase } from '../support/database.ts'
import { fillMetadata } from '../support/grownIndex/fillMetadata.ts'
import { openEmbeddedChain } from '../support/indexedNetwork.ts'
import { indexChain } from '../support/indexing.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../support/sampleIndex/dumpIndex.ts'
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { runGrandTour } from '../support/v3Demo.ts'
import { compareAnswers } from '../support/v3Load/compareAnswers.ts'
import { listRequests } from '../support/v3Load/listRequests.ts'
import { sampleIndex } from '../support/v3Load/sampleIndex.ts'
import { serveV3, startV3Network } from '../support/v3Service.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

/** Every so many of the requests are compared; all of them in long tests. */
const STEP = isLong ? 1 : 23
/** A cluster on the machine of the tests takes its time. */
const SLOW = { pointTimeoutMs: 30_000, listTimeoutMs: 30_000 }

test('the demonstration is indexed on a Citus cluster as on one server, with actions and metadata', {
  skip: missingCitus(),
}, async (t) => {
  const plain = await openFreshDatabase(t)
  const cluster = await openFreshDatabase(t, { url: await freshCitusDatabase(t), ...SLOW })
  assert.equal(cluster.isDistributed, true)
  const service = await startV3Network(t, cluster)
  await runGrandTour(service)
  const { seqno: last } = service.network.controls.getStatus().head
  await indexChain(t, await openEmbeddedChain(t, service.network), plain, { to: last })
  for (const database of [plain, cluster]) {
    await waitUntil('all traces are classified', () =>
      database.transaction(async (client) => {
        const { rows } = await client.query<{ waiting: number }>(
          'SELECT count(*)::int AS waiting FROM unclassified_blocks',
        )
        return rows[0]!.waiting === 0
      }),
    )
    await fillMetadata(database)
  }
  const dump = await dumpIndex(cluster)
  assertSameIndex(dump, await dumpIndex(plain))
  assert.ok(dump['actions']!.length > 100)
  const [expected, tried] = [await serveV3(t, plain), await serveV3(t, cluster)]
  const requests = listRequests(await sampleIndex(plain.source.url)).filter((_, k) => k % STEP === 0)
  const different = await compareAnswers({ expected: expected.url, tried: tried.url }, requests)
  const rows = Object.values(dump).reduce((sum, each) => sum + each.length, 0)
  t.diagnostic(
    `${last} blocks, ${rows} rows, ${dump['actions']!.length} actions; ${requests.length - different.length} of ${requests.length} requests equal`,
  )
  assert.deepEqual(different, [], tried.logLines.join('\n').slice(0, 4000))
})
