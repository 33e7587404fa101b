import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { createReadiness } from '../../src/cli/operations/createReadiness.ts'
import { repairBlockSet } from '../../src/indexer/verify/repairBlockSet.ts'
import { createBlockSetReader, type Finding, verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { addressKeyOf, parseAddress } from '../../src/primitives/Address.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { pause } from '../../src/primitives/scheduling.ts'
import { type Database, indexHeadQuery, type Reader } from '../../src/store/connect/Database.ts'
import { type DistributionStep, distributeTables } from '../../src/store/distributed/distributeTables.ts'
import { createRoutedReader } from '../../src/store/distributed/routedReads.ts'
import { packPartitions } from '../../src/store/maintenance/compactIndexes.ts'
import { clearLookups, dropBefore } from '../../src/store/maintenance/retention.ts'
import { clearIndex, rewindIndex } from '../../src/store/maintenance/rewindIndex.ts'
import { type DatabaseStatus, readStatus } from '../../src/store/maintenance/status.ts'
import { claimTasks, finishTasks, queueTokens } from '../../src/store/metadata/metadataTasks.ts'
import { accountStatesQuery, findAddressBookEntries } from '../../src/store/reader/accounts.ts'
import { accountStepsQuery } from '../../src/store/reader/accountTraces.ts'
import { accountPagesQuery } from '../../src/store/reader/accountTransactions.ts'
import { shardTopsQuery } from '../../src/store/reader/blocks.ts'
import { ownerItemsQuery } from '../../src/store/reader/distributedItems.ts'
import { hashPositionsQuery, transactionsAtQuery } from '../../src/store/reader/findTransactions.ts'
import { jettonWalletsQuery, ownerWalletsQuery } from '../../src/store/reader/jettons.ts'
import { contentsInPartitionsQuery } from '../../src/store/reader/messageContents.ts'
import { nftItemsQuery } from '../../src/store/reader/nftItems.ts'
import { anyLt } from '../../src/store/reader/page.ts'
import { findTokens } from '../../src/store/reader/tokens.ts'
import { namedTracesQuery, routedTransactionsQuery } from '../../src/store/reader/traces.ts'
import { tokenTypes } from '../../src/store/schema/contractTables.ts'
import { queryBuilder } from '../../src/store/schema/tables.ts'
import { cutCoordinator, cutWorker, freshCitusDatabase, missingCitus, moveShard } from '../support/citus.ts'
import { openFreshDatabase } from '../support/database.ts'
import { indexChain } from '../support/indexing.ts'
import { openRecordedChain } from '../support/recordedChain.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../support/sampleIndex/dumpIndex.ts'
import { noLease } from '../support/sampleIndex/SampleIndexer.ts'
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { askV3, compareAnswers } from '../support/v3Load/compareAnswers.ts'
import { listRequests } from '../support/v3Load/listRequests.ts'
import { sampleIndex } from '../support/v3Load/sampleIndex.ts'
import { serveV3 } from '../support/v3Service.ts'
import { waitUntil } from '../support/waitUntil.ts'

const LAST = 400
/** Every so many of the requests are compared; all of them in long tests. */
const STEP = isLong ? 1 : 11
/** A cluster on the machine of the tests takes its time. */
const SLOW = { pointTimeoutMs: 30_000, listTimeoutMs: 30_000 }

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
      chain = await openRecordedChain(cleanup)
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
    const different = await compareAnswers({ expected: expected.url, tried: tried.url }, requests)
    t.diagnostic(`${requests.length - different.length} of ${requests.length} requests equal`)
    assert.deepEqual(different, [], tried.logLines.join('\n').slice(0, 4000))
  })

  test('keeps what it commits whatever the server is set to, and all its shards can move under load', async () => {
    const [{ rows: kept }, { rows: bound }] = await cluster.transaction(async (client) => [
      await client.query('SHOW synchronous_commit'),
      await client.query(
        `SELECT c.relname FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
         WHERE c.relkind = 'r' AND c.relreplident = 'd' AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`,
      ),
    ])
    assert.deepEqual([kept, bound], [[{ synchronous_commit: 'on' }], []])
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

  test('reads of an account, a state, a trace, a hash and an owner go to one worker; blocks to none', async () => {
    const [account, hash] = [new Uint8Array(33), new Uint8Array(32)]
    const page = { limit: 10, offset: 0, after: undefined }
    const trace = {
      ...{ traceId: hash, startLt: 1n, endLt: 1n, startUtime: 1, endUtime: 1 },
      ...{ startSeqno: 1, endSeqno: 2, transactions: 1, messages: 1 },
    }
    const noItems = { collections: undefined, indexes: undefined, includeOnSale: false, byLastLt: false }
    const ofOwner = { owners: [account], addresses: undefined, jettons: undefined, withBalance: false, sort: undefined }
    const expected: readonly (readonly [CompiledQuery<unknown>, number])[] = [
      [accountPagesQuery([{ account, lt: anyLt, fromTime: 0, toTime: 1 }], 'desc', 20), 1],
      [accountStepsQuery([{ account, lt: anyLt }], 'desc', 20), 1],
      [accountStatesQuery({ accounts: [account], data: 'all' }).compile(), 1],
      [namedTracesQuery([hash], true), 1],
      [hashPositionsQuery([hash]), 1],
      [transactionsAtQuery([{ hash, lt: 1n, mc_seqno: 1, account }]), 1],
      [routedTransactionsQuery(trace, [account]), 1],
      [ownerWalletsQuery(account, 10).compile(queryBuilder), 1],
      [jettonWalletsQuery(ofOwner, page).compile(queryBuilder), 1],
      [nftItemsQuery({ ...noItems, addresses: undefined, owners: [account] }, page).compile(queryBuilder), 1],
      [ownerItemsQuery(account, 10), 1],
      [contentsInPartitionsQuery([{ hash, start: 0 }]), 1],
      [indexHeadQuery().compile(), 0],
      [shardTopsQuery(LAST).compile(), 0],
    ]
    await cluster.transaction(async (client) => {
      /** The tasks of each statement of some reads. */
      const countTasks = async (read: (reader: Reader) => Promise<unknown>): Promise<number[]> => {
        const counts: number[] = []
        const explaining = createRoutedReader({
          read: async ({ sql, parameters }) => {
            const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...parameters])
            const found = rows.flatMap((row) => /Task Count: ([0-9]+)/.exec(row['QUERY PLAN'])?.[1] ?? []).map(Number)
            counts.push(Math.max(0, ...found))
            return []
          },
        })
        await read(explaining)
        return counts
      }
      for (const [query, tasks] of expected) {
        const counts = await countTasks((reader) => reader.read(query))
        assert.equal(Math.max(0, ...counts), tasks, query.sql)
      }
      // Codes and domains; wallets, items, and what is on every node.
      assert.deepEqual(await countTasks((reader) => findAddressBookEntries(reader, [account])), [1, 1])
      assert.deepEqual(await countTasks((reader) => findTokens(reader, [account])), [1, 1, 1])
      // By several keys, the shards of those are asked by one statement.
      const others = Array.from({ length: 20 }, (_, k) => Uint8Array.of(k, ...new Uint8Array(31)))
      const shards = await countTasks((reader) => reader.read(hashPositionsQuery(others)))
      assert.ok(shards.length === 1 && shards[0]! > 1, String(shards))
    })
  })

  test('asks workers themselves, and sees what is written after a shard has moved', async (t) => {
    const read = async (filter: { readonly accounts: readonly Uint8Array[] }) =>
      cluster.reader().keyedReads.read(accountStatesQuery({ ...filter, data: 'none' }).compile())
    const all = (await sampleIndex(plain.source.url)).accounts.map((text) => addressKeyOf(parseAddress(text)))
    const isAsked = () =>
      cluster.stats().connections.filter(({ server, open }) => server.startsWith('worker ') && open > 0)
    await waitUntil(
      'all workers are asked',
      async () => (await read({ accounts: all })).length > 0 && isAsked().length >= 3,
    )
    const [before] = await read({ accounts: all.slice(0, 1) })
    const { account } = before!
    const add = (amount: number) =>
      cluster.transaction((client) =>
        client.query('UPDATE latest_account_states SET balance = balance + $1 WHERE account = $2', [amount, account]),
      )
    t.diagnostic(`moved from and to ${await moveShard(cluster.source.url, account)}`)
    await add(1)
    // The old table is still there, with the old row.
    for (let k = 0; k < 3; k++) assert.equal((await read({ accounts: [account] }))[0]!.balance, before!.balance! + 1n)
    await add(-1)
    assert.equal((await read({ accounts: [account] }))[0]!.balance, before!.balance)
  })

  test('without a worker answers what does not need it, and 503 for the rest', async (t) => {
    const { url } = await serveV3(t, cluster)
    const readiness = createReadiness({ database: cluster })
    const accounts = (await sampleIndex(plain.source.url)).accounts.slice(0, 30)
    const paths = [
      'masterchainInfo',
      'transactions?limit=1',
      ...accounts.map((each) => `accountStates?address=${each}`),
    ]
    const askAll = () => Promise.all(paths.map((path) => fetch(`${url}/api/v3/${path}`)))
    assert.deepEqual((await readiness.check()).reasons, [])
    const giveBack = await cutWorker(cluster.source.url)
    try {
      const [info, list, ...states] = await askAll()
      assert.deepEqual([info!.status, list!.status, list!.headers.get('retry-after')], [200, 503, '1'])
      assert.match(await list!.text(), /^{"error":"A worker of the index database is unavailable/)
      const countOf = (status: number) => states.filter((each) => each.status === status).length
      t.diagnostic(`states of accounts: ${countOf(200)} answered, ${countOf(503)} refused`)
      assert.ok(countOf(200) > 0 && countOf(503) > 0)
      assert.equal(countOf(200) + countOf(503), states.length)
      await waitUntil('not ready', async () =>
        /cannot be read: A worker/.test(String((await readiness.check()).reasons)),
      )
    } finally {
      await giveBack()
    }
    await waitUntil('ready', async () => (await readiness.check()).ready)
    for (const { status } of await askAll()) assert.equal(status, 200)
  })

  test('loses and doubles nothing while workers and the coordinator fail under load', async (t) => {
    const url = await freshCitusDatabase(t)
    const database = await openFreshDatabase(t, { url, ...SLOW })
    const done = new AbortController()
    const count = { workers: 0, coordinators: 0, reads: 0, refused: 0 }
    const wait = (ms: number) => pause(ms, done.signal).catch(() => undefined)
    const disturb = async (): Promise<void> => {
      for (const worker of [0, 1, undefined, 2]) {
        await wait(1500)
        if (done.signal.aborted) return
        if (worker === undefined) {
          count.coordinators++
          await cutCoordinator(url)
          continue
        }
        count.workers++
        const giveBack = await cutWorker(url, worker)
        await wait(700)
        await giveBack()
      }
    }
    const read = async (): Promise<void> => {
      while (!done.signal.aborted) {
        count.reads++
        const failure = await database
          .reader()
          .listReads.read(newest)
          .then(
            () => undefined,
            (error: unknown) => error,
          )
        // Whatever is refused may be tried again.
        if (failure !== undefined) {
          assert.ok(failure instanceof CodedError && failure.retryable, String(failure))
          count.refused++
        }
        await wait(50)
      }
    }
    const others = [disturb(), read()]
    try {
      await indexChain(t, await openRecordedChain(t), database, { to: LAST, partitionWidth: 128 })
    } finally {
      done.abort()
      await Promise.all(others)
    }
    t.diagnostic(JSON.stringify(count))
    assert.ok(count.workers > 0 && count.refused > 0)
    assertSameIndex(await dumpIndex(database), await dumpIndex(plain))
    assert.deepEqual(await listFindings(database, chain), [])
  })

  test('is distributed with its rows while reads go on, and grows on', async (t) => {
    const url = await freshCitusDatabase(t, 'migrated')
    const database = await openFreshDatabase(t, { url, ...SLOW })
    const grown = await openRecordedChain(t)
    await indexChain(t, grown, database, { to: LAST / 2, partitionWidth: 128 })
    assert.equal(database.isDistributed, false)
    const service = await serveV3(t, database)
    const requests = listRequests(await sampleIndex(url)).filter((_, k) => k % 40 === 0)
    const before = await Promise.all(requests.map((request) => askV3(service.url, request)))
    const done = new AbortController()
    const statuses: number[] = []
    const read = async (): Promise<void> => {
      for (let k = 0; !done.signal.aborted; k++) {
        statuses.push((await askV3(service.url, requests[k % requests.length]!)).status)
      }
    }
    const reading = read()
    const steps: DistributionStep[] = []
    const client = await database.openConnection('distribute')
    try {
      await distributeTables(client, { onStep: (step) => steps.push(step) })
    } finally {
      await client.end()
      done.abort()
      await reading
    }
    const pieces = steps.filter(({ table }) => table === 'transactions').map(({ copied }) => copied)
    t.diagnostic(`${statuses.length} reads meanwhile, ${statuses.filter((status) => status >= 500).length} failed`)
    assert.deepEqual([pieces, statuses.filter((status) => status >= 500)], [[0, 1, 2], []])
    const after = await Promise.all(requests.map((request) => askV3(service.url, request)))
    assert.deepEqual(after, before)
    assert.equal(database.isDistributed, true)
    await indexChain(t, grown, database, { to: LAST, partitionWidth: 128 })
    assertSameIndex(await dumpIndex(database), await dumpIndex(plain))
  })

  test('is verified, repaired, packed, rewound and cut as plain PostgreSQL is', async () => {
    const readBlockSet = await createBlockSetReader(cluster, chain.blockSets)
    const verify = (first = 1, last = LAST) => listFindings(cluster, chain, first, last)
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

const newest = queryBuilder.selectFrom('transactions').select('lt').orderBy('lt', 'desc').limit(1).compile()

/** What `db verify` finds. */
const listFindings = async (
  database: Database,
  { blockSets }: IndexedChain,
  firstSeqno = 1,
  lastSeqno = LAST,
): Promise<string[]> => {
  const fetchBlockSet = await createBlockSetReader(database, blockSets)
  const findings: string[] = []
  const onFinding = ({ seqno, fault }: Finding) => void findings.push(`${seqno} ${fault}`)
  await verifyRange(database, { firstSeqno, lastSeqno, fetchBlockSet, signal, onFinding })
  return findings
}
const DAMAGED = 200

const readSizes = async (database: Database): Promise<DatabaseStatus> => {
  const client = await database.openConnection('test')
  return readStatus(client).finally(() => client.end())
}
