import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { type IndexedChain, openLocalStates } from '../../src/cli/index/openChain.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import { createLiveStates, createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { repairBlockSet } from '../../src/indexer/verify/repairBlockSet.ts'
import { createBlockSetReader, type VerifyOptions, verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { addressKeyOf, parseAddress } from '../../src/primitives/Address.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { rewindIndex } from '../../src/store/maintenance/rewindIndex.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { fixturePath } from '../support/fixtures.ts'
import { indexChain } from '../support/indexing.ts'
import { openLocalnetNode, openPackages } from '../support/localnetSources.ts'
import {
  type RecordedMessage,
  type RecordedTransaction,
  readRecordedActors,
  readRecordedTransactions,
} from '../support/recordedTransactions.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../support/sampleIndex/dumpIndex.ts'
import { noLease } from '../support/sampleIndex/SampleIndexer.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

const LAST = 400
const { signal } = new AbortController()
const JETTON_TRANSFER = '0x0f8a7ea5'

const keyOf = (address: string): Uint8Array => addressKeyOf(parseAddress(address))

const openLive = async (t: TestContext): Promise<IndexedChain> => {
  const node = await openLocalnetNode(t)
  const { rootHash: zeroState } = await node.getZeroState()
  const blockSets = createBlockSetSource(node)
  return { blockSets, states: createLiveStates(createLiveChain(node), blockSets), zeroState, order: 'newestFirst' }
}

const openKept = async (t: TestContext, zeroState: Uint8Array): Promise<IndexedChain> => {
  const source = openPackages()
  const blockSets = createBlockSetSource(source)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))
  const states = await openLocalStates(tempFolder(t), { stateFiles, source, blockSets, sync: false })
  t.after(() => states.close())
  return { blockSets, states: createLocalStates(states), zeroState, order: 'ascending' }
}

test('of the recorded chain, two accounts are watched: all of theirs is there, and nothing else', {
  timeout: 300_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const { walletA, jettonWalletA } = readRecordedActors()
  const watchedAccounts = [walletA, jettonWalletA].map(keyOf)
  const live = await openLive(t)
  const database = await openFreshDatabase(t)
  const { logged } = await indexChain(t, live, database, { to: LAST, watchedAccounts })
  assert.deepEqual(logged, [])

  // Begun anew again and again: what is under way is read back from the database.
  const kept = await openKept(t, live.zeroState)
  const inSteps = await openFreshDatabase(t)
  for (const to of [25, 41, 42, 43, 44, 45, 60, 200, LAST]) {
    await indexChain(t, kept, inSteps, { to, watchedAccounts: watchedAccounts.toReversed() })
  }
  const { index_state: _order, ...whole } = await dumpIndex(database)
  const { index_state: _otherOrder, ...stepped } = await dumpIndex(inSteps)
  assertSameIndex(stepped, whole)

  const recorded = readRecordedTransactions().filter(({ account }) => [walletA, jettonWalletA].includes(account))
  assert.ok(recorded.some(({ account }) => account === jettonWalletA))
  await checkRows(database, recorded)
  await checkTraces(database, recorded)
  await checkAccounts(database, recorded)
  await checkVerified(t, database, live)
  await checkRewound(t, inSteps, kept, watchedAccounts)

  for (const others of [[watchedAccounts[0]!], undefined]) {
    await assert.rejects(indexChain(t, live, database, { to: LAST, watchedAccounts: others }), {
      code: 'other_accounts',
    })
  }
})

const query = async <Row>(database: Database, text: string): Promise<Row[]> =>
  database.transaction(async (client) => (await client.query(text)).rows as Row[])

const count = async (database: Database, what: string): Promise<number> =>
  (await query<{ count: number }>(database, `SELECT (${what})::int AS count`))[0]!.count

/** The messages of these that none of these has received. */
const listUnreceived = (recorded: readonly RecordedTransaction[]): RecordedMessage[] => {
  const received = new Set(recorded.map(({ in_msg }) => in_msg?.hash))
  return recorded.flatMap(({ out_msgs }) => out_msgs).filter(({ hash }) => !received.has(hash))
}

const checkRows = async (database: Database, recorded: readonly RecordedTransaction[]): Promise<void> => {
  const rows = await query<{ hash: string }>(database, `SELECT encode(hash, 'hex') AS hash FROM transactions`)
  assert.deepEqual(rows.map(({ hash }) => hash).sort(), recorded.map(({ hash }) => hash).sort())
  const messages = await query<{ hash: string }>(
    database,
    `SELECT encode(hash, 'hex') AS hash FROM unreceived_messages`,
  )
  assert.deepEqual(
    messages.map(({ hash }) => hash).sort(),
    listUnreceived(recorded)
      .map(({ hash }) => hash)
      .sort(),
  )
  // Blocks are told of in full.
  assert.deepEqual(
    [
      await count(database, 'SELECT count(*) FROM blocks'),
      await count(database, 'SELECT sum(tx_count) FROM blocks'),
      await count(database, 'SELECT sum(tx_count) FROM indexed_blocks'),
    ],
    [400 + 1111, readRecordedTransactions().length, recorded.length],
  )
  const contents = await query<{ hash: string }>(database, `SELECT encode(hash, 'hex') AS hash FROM message_contents`)
  const known = recorded.flatMap(({ in_msg, out_msgs }) => [...(in_msg ? [in_msg] : []), ...out_msgs])
  const inits = await count(
    database,
    `SELECT count(DISTINCT hash) FROM (
       SELECT in_init_hash AS hash FROM transactions UNION SELECT init_hash FROM unreceived_messages
     ) all_inits WHERE hash IS NOT NULL`,
  )
  const bodies = new Set(known.map(({ body_hash }) => body_hash))
  assert.equal(contents.filter(({ hash }) => !bodies.has(hash)).length, inits)
}

/** Traces, each built from its root; what came from others begins one, and what went to others ends it. */
const checkTraces = async (database: Database, recorded: readonly RecordedTransaction[]): Promise<void> => {
  const senders = new Map(recorded.flatMap((tx) => tx.out_msgs.map(({ hash }) => [hash, tx] as const)))
  const rootOf = (tx: RecordedTransaction): RecordedTransaction => {
    const sender = tx.in_msg && senders.get(tx.in_msg.hash)
    return sender === undefined ? tx : rootOf(sender)
  }
  const traces = new Map<string, { transactions: number; messages: number }>()
  const unreceived = new Set(listUnreceived(recorded))
  for (const tx of recorded) {
    const id = rootOf(tx).hash
    const trace = traces.get(id) ?? { transactions: 0, messages: 0 }
    trace.transactions++
    trace.messages += (tx.in_msg ? 1 : 0) + tx.out_msgs.filter((message) => unreceived.has(message)).length
    traces.set(id, trace)
  }
  const rows = await query<{ id: string; transactions: number; messages: number }>(
    database,
    `SELECT encode(trace_id, 'hex') AS id, transactions, messages FROM traces`,
  )
  assert.deepEqual(new Map(rows.map(({ id, ...numbers }) => [id, numbers])), traces)
  assert.ok(rows.some(({ transactions }) => transactions > 1))
  assert.equal(await count(database, 'SELECT count(*) FROM open_traces'), 0)
  const ids = await query<{ hash: string; id: string }>(
    database,
    `SELECT encode(hash, 'hex') AS hash, encode(trace_id, 'hex') AS id FROM transactions`,
  )
  const byHash = new Map(recorded.map((tx) => [tx.hash, tx]))
  for (const { hash, id } of ids) assert.equal(id, rootOf(byHash.get(hash)!).hash)
}

const checkAccounts = async (database: Database, recorded: readonly RecordedTransaction[]): Promise<void> => {
  const { walletA, jettonWalletA } = readRecordedActors()
  const [states, wallets] = [
    await query<{ account: Uint8Array }>(database, 'SELECT account FROM latest_account_states WHERE data IS NOT NULL'),
    await query<{ address: Uint8Array }>(database, 'SELECT address FROM jetton_wallets'),
  ]
  assert.deepEqual(
    states.map(({ account }) => toHex(account)).sort(),
    [walletA, jettonWalletA].map((address) => toHex(keyOf(address))).sort(),
  )
  assert.deepEqual(
    wallets.map(({ address }) => toHex(address)),
    [toHex(keyOf(jettonWalletA))],
  )
  const transfers = recorded.filter(
    ({ account, in_msg }) => account === jettonWalletA && String(in_msg?.opcode) === JETTON_TRANSFER,
  )
  assert.ok(transfers.length > 0)
  assert.deepEqual(
    [
      await count(database, 'SELECT count(*) FROM jetton_transfers'),
      await count(database, 'SELECT count(*) FROM jetton_burns'),
      await count(database, 'SELECT count(*) FROM nft_transfers'),
    ],
    [transfers.length, 0, 0],
  )
}

const verify = async (
  database: Database,
  fetchBlockSet: VerifyOptions['fetchBlockSet'],
  [firstSeqno, lastSeqno] = [1, LAST],
): Promise<string[]> => {
  const findings: string[] = []
  await verifyRange(database, {
    firstSeqno,
    lastSeqno,
    fetchBlockSet,
    signal,
    onFinding: ({ seqno, fault }) => findings.push(`${seqno} ${fault}`),
  })
  return findings
}

const checkVerified = async (t: TestContext, database: Database, { blockSets }: IndexedChain): Promise<void> => {
  const readBlockSet = await createBlockSetReader(database, blockSets)
  assert.deepEqual(await verify(database, readBlockSet), [])
  // With all accounts, blocks in which others did something are not those that are there.
  const differing = await verify(
    database,
    async (seqno) => decodeBlockSet(await blockSets.fetchBlockSet(seqno, signal)),
    [1, LAST / 4],
  )
  assert.ok(differing.length > 0 && differing.every((finding) => finding.endsWith('source_differs')))
  t.diagnostic(`${differing.length} of ${LAST / 4} blocks have transactions of others`)

  const before = await dumpIndex(database)
  const busiest = await count(
    database,
    'SELECT mc_seqno FROM transactions GROUP BY mc_seqno ORDER BY count(*) DESC, mc_seqno LIMIT 1',
  )
  await query(database, `DELETE FROM transactions WHERE mc_seqno = ${busiest}`)
  const around: [number, number] = [Math.max(1, busiest - 20), Math.min(LAST, busiest + 20)]
  assert.ok((await verify(database, readBlockSet, around)).includes(`${busiest} rows_changed`))
  await repairBlockSet(database, await readBlockSet(busiest, signal), noLease)
  assert.deepEqual(await verify(database, readBlockSet, around), [])
  assertSameIndex(await dumpIndex(database), before)
}

/** What is taken back and indexed again is as it was. */
const checkRewound = async (
  t: TestContext,
  database: Database,
  chain: IndexedChain,
  watchedAccounts: readonly Uint8Array[],
): Promise<void> => {
  const before = await dumpIndex(database)
  for (const seqno of isLong ? [44, 42] : [42]) {
    await rewindIndex(database, seqno, noLease)
    await indexChain(t, chain, database, { to: LAST, watchedAccounts })
    assertSameIndex(await dumpIndex(database), before)
  }
}
