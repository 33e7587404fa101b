import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { type IndexedChain, openLocalStates } from '../../src/cli/index/openChain.ts'
import { createLiveStates, createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { type Finding, verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
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
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

/** A seqno of the recorded chain, or of its first part in the short form. */
const at = (seqno: number): number => (isLong ? seqno : (seqno * 2) / 5)

const LAST = at(400)
const WIDTH = at(50)
const RETENTION = at(150)

const openKept = async (t: TestContext): Promise<IndexedChain> => {
  const packages = openPackages()
  const blockSets = createBlockSetSource(packages)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))
  const states = await openLocalStates(tempFolder(t), { stateFiles, source: packages, blockSets, sync: false })
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
  await index({ to: at(220) })
  assert.deepEqual((await describe(database)).ranges, [[1, at(220)]])
  // Somebody reads for long: what is old stays until that is over, and is tried again.
  const logged: string[] = []
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => logged.push(line) })
  let running: ReturnType<typeof indexChain> | undefined
  await database.transaction(async (client) => {
    await client.query('LOCK TABLE transactions IN ACCESS SHARE MODE')
    running = indexChain(t, chain, database, { to: at(230), retention: RETENTION, logger })
    await waitUntil('a warning that old history cannot be dropped', () => logged.length > 0, { pollMs: 50 })
    assert.deepEqual((await describe(database)).ranges, [[1, at(220)]])
  })
  assert.deepEqual([(await running)?.progress.blocks, (await running)?.progress.missing], [at(10), 0])
  // It may have been tried more than once meanwhile.
  assert.match(logged[0]!, /retention failed, retrying.*database_timeout/)
  if (logged.length > 1) t.diagnostic(logged.slice(1).join('\n'))
  const cut = { ranges: [[at(50), at(230)]], retainedFrom: at(50), partitions: [50, 100, 150, 200].map(at) }
  assert.deepEqual(await describe(database), cut)

  const second = await index({ to: LAST, retention: RETENTION })
  assert.deepEqual([second.progress.blocks, second.progress.missing], [at(170), 0])
  // On a busy machine the lock for dropping partitions may take longer than one attempt waits for it.
  assert.deepEqual(
    second.logged.filter((line) => !/retention failed, retrying.*database_timeout/.test(line)),
    [],
  )
  const kept = await describe(database)
  assert.deepEqual(kept, { ranges: [[at(250), LAST]], retainedFrom: at(250), partitions: [250, 300, 350, 400].map(at) })
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
    assert.deepEqual(actual[table], rowsFrom(expected, table, at(250)), table)
  }
  assert.ok(actual['latest_account_states']!.length > 0)
  t.diagnostic(
    `${expected['transactions']!.length} transactions, ${actual['transactions']!.length} of them kept, ${actual['latest_account_states']!.length} accounts`,
  )

  // Neither with it nor without it: what is gone stays so.
  for (const retention of [RETENTION, at(390), undefined]) {
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
  const first = await index({ to: at(300), retention: RETENTION })
  assert.deepEqual([first.progress.blocks, first.logged], [at(150) + 1, []])
  assert.deepEqual(await describe(database), {
    ranges: [[at(150), at(300)]],
    retainedFrom: 0,
    partitions: [150, 200, 250, 300].map(at),
  })
  const second = await index({ to: LAST, retention: RETENTION })
  assert.deepEqual([second.progress.blocks, second.logged], [at(100), []])
  const kept = { ranges: [[at(250), LAST]], retainedFrom: at(250), partitions: [250, 300, 350, 400].map(at) }
  assert.deepEqual(await describe(database), kept)
  const third = await index({ to: LAST })
  assert.deepEqual([third.progress.blocks, third.logged], [0, []])
  assert.deepEqual(await describe(database), kept)
  assert.deepEqual(await verify(database), [])
})
