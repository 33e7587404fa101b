import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { type IndexedChain, openLocalStates } from '../../src/cli/index/openChain.ts'
import { createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { repairBlockSet } from '../../src/indexer/verify/repairBlockSet.ts'
import { createBlockSetReader, type Finding, verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { type Database, indexHeadQuery } from '../../src/store/connect/Database.ts'
import { createRoutedReader } from '../../src/store/distributed/routedReads.ts'
import { clearLookups, dropBefore } from '../../src/store/maintenance/retention.ts'
import { clearIndex, rewindIndex } from '../../src/store/maintenance/rewindIndex.ts'
import { type DatabaseStatus, readStatus } from '../../src/store/maintenance/status.ts'
import { claimTasks, finishTasks, queueTokens } from '../../src/store/metadata/metadataTasks.ts'
import { accountStatesQuery } from '../../src/store/reader/accounts.ts'
import { accountStepsQuery } from '../../src/store/reader/accountTraces.ts'
import { accountPagesQuery } from '../../src/store/reader/accountTransactions.ts'
import { shardTopsQuery } from '../../src/store/reader/blocks.ts'
import { hashPositionsQuery } from '../../src/store/reader/findTransactions.ts'
import { contentsInPartitionsQuery } from '../../src/store/reader/messageContents.ts'
import { anyLt } from '../../src/store/reader/page.ts'
import { namedTracesQuery } from '../../src/store/reader/traces.ts'
import { tokenTypes } from '../../src/store/schema/contractTables.ts'
import { packPartitions } from '../../src/store/writer/partitions.ts'
import { freshCitusDatabase, missingCitus } from '../support/citus.ts'
import { openFreshDatabase } from '../support/database.ts'
import { fixturePath } from '../support/fixtures.ts'
import { indexChain } from '../support/indexing.ts'
import { openPackages } from '../support/localnetSources.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../support/sampleIndex/dumpIndex.ts'
import { noLease } from '../support/sampleIndex/SampleIndexer.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { listRequests } from '../support/v3Load/listRequests.ts'
import { sampleIndex } from '../support/v3Load/sampleIndex.ts'
import { serveV3 } from '../support/v3Service.ts'

const LAST = 400
/** Every so many of the requests are compared; all of them with CHAINCENTER_LONG_TESTS. */
const STEP = process.env['CHAINCENTER_LONG_TESTS'] === undefined ? 11 : 1
/** A cluster on the machine of the tests takes its time. */
const SLOW = { pointTimeoutMs: 30_000, listTimeoutMs: 30_000 }

const openChain = async (t: TestContext): Promise<IndexedChain> => {
  const packages = openPackages()
  const blockSets = createBlockSetSource(packages)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))
  const states = await openLocalStates(tempFolder(t), { stateFiles, source: packages, blockSets, sync: false })
  t.after(() => states.close())
  const { rootHash: zeroState } = (await loadLocalnetStore()).zeroState
  return { blockSets, states: createLocalStates(states), zeroState, order: 'ascending' }
}

describe('an index on a Citus cluster', { skip: missingCitus() }, () => {
  const endings: (() => unknown)[] = []
  let plain: Database
  let cluster: Database
  let chain: IndexedChain

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    plain = await openFreshDatabase(cleanup)
    cluster = await openFreshDatabase(cleanup, { url: await freshCitusDatabase(cleanup), ...SLOW })
    assert.deepEqual([plain.isDistributed, cluster.isDistributed], [false, true])
    for (const database of [plain, cluster]) {
      chain = await openChain(cleanup)
      const { logged } = await indexChain(cleanup, chain, database, { to: LAST, partitionWidth: 128 })
      // Classification may conflict with the making of a partition; it is tried again.
      assert.deepEqual(
        logged.filter((line) => !line.includes('"database_conflict"')),
        [],
      )
    }
  })
  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  test('has the same rows as plain PostgreSQL', async () => {
    assertSameIndex(await dumpIndex(cluster), await dumpIndex(plain))
  })

  test('answers v3 requests as plain PostgreSQL does, byte for byte', async (t) => {
    const [expected, tried] = [await serveV3(t, plain), await serveV3(t, cluster)]
    const requests = listRequests(await sampleIndex(plain.source.url)).filter((_, k) => k % STEP === 0)
    assert.ok(requests.length >= 144)
    const failed: string[] = []
    const count = { equal: 0, different: 0, '5xx': 0 }
    for (const request of requests) {
      const [one, other] = await Promise.all([ask(expected.url, request), ask(tried.url, request)])
      if (other.status >= 500) count['5xx']++
      else if (one.text === other.text) count.equal++
      else count.different++
      if (one.text !== other.text) failed.push(`${request}\n  ${one.text.slice(0, 300)}\n  ${other.text.slice(0, 300)}`)
    }
    t.diagnostic(`${requests.length} requests: ${JSON.stringify(count)}`)
    assert.deepEqual(failed, [], tried.logLines.join('\n').slice(0, 4000))
  })

  test('fetches metadata, and tells its size over all nodes', async () => {
    const [one, other] = [await readSizes(plain), await readSizes(cluster)]
    assert.deepEqual([one.cluster, other.cluster?.unreachable], [undefined, 0])
    assert.ok(other.cluster!.nodes > 1)
    const from = { sinceLt: 0n, address: new Uint8Array(0) }
    const claimed = await Promise.all(
      [plain, cluster].map((database) =>
        database.transaction(async (client) => {
          for (const type of tokenTypes) await queueTokens(client, { type, direction: 'newer', from, limit: 10 })
          const tasks = await claimTasks(client, 10, 10_000)
          await finishTasks(
            client,
            tasks.map((task) => ({ task, tries: 1, kind: 'later', delayMs: 1000, error: 'none' })),
            1000,
          )
          return tasks.map(({ type, contentHash }) => `${type} ${contentHash?.toString('hex')}`).sort()
        }),
      ),
    )
    assert.ok(claimed[0]!.length > 3)
    assert.deepEqual(claimed[1], claimed[0])
  })

  test('reads of an account, a state, a trace and a hash go to one worker; blocks to none', async () => {
    const [account, hash] = [new Uint8Array(33), new Uint8Array(32)]
    const expected: readonly (readonly [CompiledQuery<unknown>, number])[] = [
      [accountPagesQuery([{ account, lt: anyLt, fromTime: 0, toTime: 1 }], 'desc', 20), 1],
      [accountStepsQuery([{ account, lt: anyLt }], 'desc', 20), 1],
      [accountStatesQuery({ accounts: [account], data: 'all' }).compile(), 1],
      [namedTracesQuery([hash]), 1],
      [hashPositionsQuery([hash]), 1],
      [contentsInPartitionsQuery([{ hash, start: 0 }]), 1],
      [indexHeadQuery().compile(), 0],
      [shardTopsQuery(LAST).compile(), 0],
    ]
    await cluster.transaction(async (client) => {
      for (const [query, tasks] of expected) {
        const plans: string[] = []
        const explaining = createRoutedReader({
          read: async ({ sql, parameters }) => {
            const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...parameters])
            plans.push(...rows.map((row) => row['QUERY PLAN']))
            return []
          },
        })
        await explaining.read(query)
        const counts = plans.flatMap((line) => /Task Count: ([0-9]+)/.exec(line)?.[1] ?? []).map(Number)
        assert.equal(Math.max(0, ...counts), tasks, query.sql)
      }
    })
  })

  test('is verified, repaired, packed, rewound and cut as plain PostgreSQL is', async () => {
    const readBlockSet = await createBlockSetReader(cluster, chain.blockSets)
    const verify = async (first = 1, last = LAST): Promise<string[]> => {
      const findings: string[] = []
      const onFinding = ({ seqno, fault }: Finding) => void findings.push(`${seqno} ${fault}`)
      const range = { firstSeqno: first, lastSeqno: last }
      await verifyRange(cluster, { ...range, fetchBlockSet: readBlockSet, signal, onFinding })
      return findings
    }
    assert.deepEqual(await verify(), [])
    await cluster.transaction((client) => client.query(`DELETE FROM transactions WHERE mc_seqno = ${DAMAGED}`))
    assert.ok((await verify(DAMAGED, DAMAGED)).includes(`${DAMAGED} rows_changed`))
    await repairBlockSet(cluster, await readBlockSet(DAMAGED, signal), noLease)
    assert.deepEqual(await verify(DAMAGED - 1, DAMAGED + 1), [])
    assertSameIndex(await dumpIndex(cluster), await dumpIndex(plain))
    assert.ok((await packPartitions(cluster, 'present', signal)) > 0)
    for (const change of [
      (database: Database) => rewindIndex(database, 300, noLease),
      (database: Database) => dropBefore(database, 130, noLease),
      (database: Database) => clearLookups(database, 128, signal),
      (database: Database) => clearIndex(database, noLease),
    ]) {
      for (const database of [plain, cluster]) await change(database)
      assertSameIndex(await dumpIndex(cluster), await dumpIndex(plain))
    }
  })
})

const { signal } = new AbortController()
const DAMAGED = 200

const readSizes = async (database: Database): Promise<DatabaseStatus> => {
  const client = await database.openConnection('test')
  return readStatus(client).finally(() => client.end())
}

/** Status, cursor and body. */
const ask = async (url: string, request: string): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await fetch(`${url}/api/v3/${request}`)
  const cursor = answer.headers.get('x-next-cursor') ?? ''
  return { status: answer.status, text: `${answer.status} ${cursor} ${await answer.text()}` }
}
