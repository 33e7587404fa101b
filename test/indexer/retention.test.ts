import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { openKeptStates } from '../../src/cli/index/openKeptStates.ts'
import { createLiveStates, createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { type Finding, verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { createLiveChain } from '../../src/node/live/createLiveChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { partitionedTables } from '../../src/store/schema/tables.ts'
import { findIndexState, readRanges } from '../../src/store/writer/indexState.ts'
import { listPartitions } from '../../src/store/writer/partitions.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { fixturePath } from '../support/fixtures.ts'
import { indexChain } from '../support/indexing.ts'
import { openLocalnetNode, openPackages } from '../support/localnetSources.ts'
import { dumpIndex, type IndexDump } from '../support/sampleIndex/dumpIndex.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

const LAST = 400
const WIDTH = 50
const RETENTION = 150

const openKept = async (t: TestContext): Promise<IndexedChain> => {
  const packages = openPackages()
  const blockSets = createBlockSetSource(packages)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))
  const states = await openKeptStates(tempFolder(t), { stateFiles, source: packages, blockSets, sync: false })
  t.after(() => states.close())
  return { blockSets, states: createLocalStates(states), zeroState: new Uint8Array(32).fill(7), order: 'ascending' }
}

const describe = (database: Database) =>
  database.transaction(async (client) => ({
    ranges: (await readRanges(client)).map(({ firstSeqno, lastSeqno }) => [firstSeqno, lastSeqno]),
    retainedFrom: (await findIndexState(client))!.retainedFrom,
    partitions: [...new Set((await listPartitions(client)).map(({ start }) => start))].sort((a, b) => a - b),
  }))

const rowsFrom = (dump: IndexDump, table: string, seqno: number): readonly string[] =>
  dump[table]!.filter((row) => Number((JSON.parse(row) as { mc_seqno: number }).mc_seqno) >= seqno)

const verify = async (database: Database): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  const { signal } = new AbortController()
  const options = { firstSeqno: 1, lastSeqno: LAST, signal, onFinding: (finding: Finding) => findings.push(finding) }
  await verifyRange(database, options)
  return findings
}

test('old history goes in pieces while newer is indexed, and nothing of it comes back', {
  timeout: 300_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const chain = await openKept(t)
  const database = await openFreshDatabase(t)
  const index = (options: { to: number; retention?: number }) =>
    indexChain(t, chain, database, { partitionWidth: WIDTH, ...options })
  await index({ to: 220 })
  assert.deepEqual((await describe(database)).ranges, [[1, 220]])
  // Somebody reads for long: what is old stays until that is over, and is tried again.
  const logged: string[] = []
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => logged.push(line) })
  let running: ReturnType<typeof indexChain> | undefined
  await database.transaction(async (client) => {
    await client.query('LOCK TABLE transactions IN ACCESS SHARE MODE')
    running = indexChain(t, chain, database, { to: 230, retention: RETENTION, logger })
    while (logged.length === 0) await delay(50)
    assert.deepEqual((await describe(database)).ranges, [[1, 220]])
  })
  assert.deepEqual([(await running)?.progress.blocks, (await running)?.progress.missing], [10, 0])
  // It may have been tried more than once meanwhile.
  assert.match(logged[0]!, /retention failed, retrying.*database_timeout/)
  if (logged.length > 1) t.diagnostic(logged.slice(1).join('\n'))
  const cut = { ranges: [[50, 230]], retainedFrom: 50, partitions: [50, 100, 150, 200] }
  assert.deepEqual(await describe(database), cut)

  const second = await index({ to: LAST, retention: RETENTION })
  assert.deepEqual([second.progress.blocks, second.progress.missing, second.logged], [170, 0, []])
  const kept = await describe(database)
  assert.deepEqual(kept, { ranges: [[250, LAST]], retainedFrom: 250, partitions: [250, 300, 350, 400] })
  assert.deepEqual(await verify(database), [])

  const whole = await openFreshDatabase(t)
  await indexChain(t, await openKept(t), whole, { to: LAST, partitionWidth: WIDTH })
  const [expected, actual] = [await dumpIndex(whole), await dumpIndex(database)]
  const undivided = Object.keys(expected).filter((table) => !(partitionedTables as readonly string[]).includes(table))
  const changed = ['index_state', 'covered_ranges', 'transaction_lookup', 'open_traces']
  for (const table of undivided.filter((name) => !changed.includes(name))) {
    assert.deepEqual(actual[table], expected[table], table)
  }
  for (const table of ['indexed_blocks', 'blocks', 'shard_tops', 'transactions', 'transaction_lookup']) {
    assert.deepEqual(actual[table], rowsFrom(expected, table, 250), table)
  }
  assert.ok(actual['latest_account_states']!.length > 0)
  t.diagnostic(
    `${expected['transactions']!.length} transactions, ${actual['transactions']!.length} of them kept, ${actual['latest_account_states']!.length} accounts`,
  )

  // Neither with it nor without it: what is gone stays so.
  for (const retention of [RETENTION, 390, undefined]) {
    const again = await index({ to: LAST, ...(retention !== undefined && { retention }) })
    assert.deepEqual([again.progress.blocks, again.progress.missing, again.logged], [0, 0, []])
    assert.deepEqual(await describe(database), kept)
  }
})

test('newest first, history is filled as far as it is kept, before and after a restart', {
  timeout: 300_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const node = await openLocalnetNode(t)
  const blockSets = createBlockSetSource(node)
  const states = createLiveStates(createLiveChain(node), blockSets)
  const { rootHash: zeroState } = await node.getZeroState()
  const chain: IndexedChain = { blockSets, states, zeroState, order: 'newestFirst' }
  const database = await openFreshDatabase(t)
  const index = (options: { to: number; retention?: number }) =>
    indexChain(t, chain, database, { partitionWidth: WIDTH, ...options })
  const first = await index({ to: 300, retention: RETENTION })
  assert.deepEqual([first.progress.blocks, first.logged], [151, []])
  assert.deepEqual(await describe(database), {
    ranges: [[150, 300]],
    retainedFrom: 0,
    partitions: [150, 200, 250, 300],
  })
  const second = await index({ to: LAST, retention: RETENTION })
  assert.deepEqual([second.progress.blocks, second.logged], [100, []])
  const kept = { ranges: [[250, LAST]], retainedFrom: 250, partitions: [250, 300, 350, 400] }
  assert.deepEqual(await describe(database), kept)
  const third = await index({ to: LAST })
  assert.deepEqual([third.progress.blocks, third.logged], [0, []])
  assert.deepEqual(await describe(database), kept)
  assert.deepEqual(await verify(database), [])
})
