import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyRange } from '../../../src/indexer/verify/verifyRange.ts'
import { getU64BE } from '../../../src/primitives/bytes.ts'
import { fromSignedShard, shardContains } from '../../../src/primitives/shard.ts'
import type { Database } from '../../../src/store/connect/Database.ts'
import { accountStatusCode } from '../../../src/store/schema/codes.ts'
import { partitionsText } from '../../../src/store/schema/tables.ts'
import { haveDatabase, openFreshDatabase } from '../database.ts'
import { assertSameIndex } from '../sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../sampleIndex/dumpIndex.ts'
import { tempFolder } from '../tempFolder.ts'
import { isLong } from '../testLength.ts'
import { closeSharedMachine } from '../testNetwork.ts'
import { findChains, saveChains } from './chainFile.ts'
import { growIndex } from './growIndex.ts'
import type { RecordedChain } from './recordChain.ts'
import { recordChains } from './recordChains.ts'

const NONEXIST = accountStatusCode('nonexist')
const TRANSACTIONS = isLong ? 100_000 : 6000
const { signal } = new AbortController()

let chains: readonly RecordedChain[] = []

before(async () => {
  const network = isLong ? { payers: 40, rounds: 3, seed: 7 } : { payers: 12, rounds: 2, seed: 7 }
  chains = await recordChains({ network, localnet: isLong, signal })
})
after(closeSharedMachine)

const count = (chain: RecordedChain): { readonly blockSets: number; readonly transactions: number } => {
  const blockSets = chain.batches.flatMap((batch) => batch.blockSets)
  return {
    blockSets: blockSets.length,
    transactions: blockSets.reduce((sum, blockSet) => sum + blockSet.transactions.count, 0),
  }
}

const query = <Row>(database: Database, sql: string): Promise<Row[]> =>
  database.transaction(async (client) => (await client.query(sql)).rows as Row[])

/** How many rows a question finds. */
const countRows = async (database: Database, sql: string): Promise<number> =>
  Number((await query<{ rows: bigint }>(database, `SELECT count(*) AS rows FROM (${sql}) found`))[0]!.rows)

test('a grown index holds together', { timeout: isLong ? 1_800_000 : 400_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const grown = await growIndex({ database, chains, transactions: TRANSACTIONS, partitions: 12 })
  t.diagnostic(JSON.stringify({ chains: chains.map((chain) => ({ name: chain.name, ...count(chain) })), grown }))
  assert.ok(grown.transactions >= TRANSACTIONS && grown.rounds > 2)

  await checkCounts(database, grown)
  await checkVerified(database)
  await checkTraces(database)
  await checkTokens(database)
  await checkAccounts(database, grown.rounds)
  await checkBlocks(database)
})

const checkCounts = async (
  database: Database,
  { blocks, transactions }: { readonly blocks: number; readonly transactions: number },
): Promise<void> => {
  const ranges = await query<Record<string, number>>(database, 'SELECT first_seqno, last_seqno FROM covered_ranges')
  assert.deepEqual(ranges, [{ first_seqno: 1, last_seqno: blocks }])
  const sums = await query<Record<string, string>>(
    database,
    `SELECT (SELECT count(*) FROM transactions)::text AS rows, (SELECT sum(tx_count) FROM blocks)::text AS of_blocks,
       (SELECT sum(tx_count) FROM indexed_blocks)::text AS of_units, (SELECT count(*) FROM transaction_lookup)::text AS found,
       (SELECT count(DISTINCT hash) FROM transactions)::text AS hashes`,
  )
  const all = String(transactions)
  assert.deepEqual(sums, [{ rows: all, of_blocks: all, of_units: all, found: all, hashes: all }])
  const partitions = await countRows(database, 'SELECT DISTINCT tableoid FROM transactions')
  assert.ok(partitions >= 8 && partitions <= 16, `${partitions} partitions`)
}

/** All that the database can be held against, but one thing: the hash of a content in a copy is not that of its cells. */
const checkVerified = async (database: Database): Promise<void> => {
  const firstRound = chains.reduce((sum, chain) => sum + count(chain).blockSets, 0)
  const [range] = await query<{ last_seqno: number }>(database, 'SELECT last_seqno FROM covered_ranges')
  const faults = new Set<string>()
  const verified = await verifyRange(database, {
    firstSeqno: 1,
    lastSeqno: range!.last_seqno,
    signal,
    onFinding: ({ seqno, fault }) => faults.add(seqno <= firstRound ? `${fault} at ${seqno}` : fault),
  })
  assert.equal(verified.blocks, range!.last_seqno)
  assert.deepEqual([...faults], ['content_missing'])
  const wanted = (column: string, table: string): string =>
    `SELECT ${column} AS hash, (SELECT max(first) FROM (${partitionsText}) AS p WHERE first <= t.mc_seqno) AS place FROM ${table} t WHERE ${column} IS NOT NULL`
  const missing = await countRows(
    database,
    `SELECT hash, place FROM (${wanted('in_body_hash', 'transactions')} UNION ALL ${wanted('in_init_hash', 'transactions')}
       UNION ALL ${wanted('body_hash', 'unreceived_messages')} UNION ALL ${wanted('init_hash', 'unreceived_messages')}) wanted
     EXCEPT SELECT hash, mc_seqno FROM message_contents`,
  )
  assert.equal(missing, 0)
  assert.equal(await countRows(database, 'SELECT FROM message_contents GROUP BY mc_seqno, hash HAVING count(*) > 1'), 0)
}

const checkTraces = async (database: Database): Promise<void> => {
  const wrong = await countRows(
    database,
    `SELECT FROM (SELECT trace_id, transactions, start_lt, end_lt FROM traces
         UNION ALL SELECT trace_id, transactions, start_lt, end_lt FROM open_traces) r
       FULL JOIN (SELECT trace_id, count(*) AS transactions, min(lt) AS start_lt, max(lt) AS end_lt,
         count(*) FILTER (WHERE hash = trace_id) AS roots FROM transactions GROUP BY trace_id) t USING (trace_id)
     WHERE (r.transactions, r.start_lt, r.end_lt, 1) IS DISTINCT FROM (t.transactions, t.start_lt, t.end_lt, t.roots)`,
  )
  assert.equal(wrong, 0)
  assert.ok((await countRows(database, 'SELECT FROM traces WHERE transactions > 3')) > 100)
}

const checkTokens = async (database: Database): Promise<void> => {
  for (const table of ['jetton_transfers', 'jetton_burns', 'nft_transfers']) {
    const events = await countRows(database, `SELECT FROM ${table}`)
    const joined = await countRows(
      database,
      `SELECT FROM ${table} e JOIN transactions t USING (account, lt, mc_seqno, now)`,
    )
    assert.ok(events > 0, table)
    assert.equal(joined, events, table)
  }
  const events = `SELECT account, jetton_master FROM jetton_transfers UNION ALL SELECT account, jetton_master FROM jetton_burns`
  const strange = await countRows(
    database,
    `SELECT FROM (${events}) e LEFT JOIN jetton_wallets w ON w.address = e.account WHERE w.jetton IS DISTINCT FROM e.jetton_master`,
  )
  assert.equal(strange, 0)
  const contracts: readonly (readonly [table: string, column: string, of: string])[] = [
    ['jetton_wallets', 'jetton', 'jetton_masters'],
    ['nft_items', 'collection_address', 'nft_collections'],
    ['dns_entries', 'nft_item_address', 'nft_items'],
  ]
  for (const [table, column, of] of contracts) {
    const lost = await countRows(
      database,
      `SELECT FROM ${table} c LEFT JOIN ${of} p ON p.address = c.${column} WHERE p.address IS NULL AND c.${column} IS NOT NULL`,
    )
    assert.equal(lost, 0, `${table} without ${of}`)
  }
  const items = await countRows(
    database,
    'SELECT FROM nft_items GROUP BY collection_address, index HAVING count(*) > 1',
  )
  assert.equal(items, 0)
}

const checkAccounts = async (database: Database, rounds: number): Promise<void> => {
  const first = new Set<string>()
  const originals = chains.flatMap((chain) => chain.batches.flatMap(({ blockSets }) => blockSets))
  for (const { accounts } of originals) {
    for (const { account } of accounts) first.add(Buffer.from(account).toString('hex'))
  }
  const accounts = await countRows(database, 'SELECT DISTINCT account FROM transactions')
  assert.ok(accounts > first.size * 1.5, `${accounts} accounts came from ${first.size}`)
  const stale = await countRows(
    database,
    `SELECT FROM (SELECT DISTINCT ON (account) account, lt, hash, state_after, mc_seqno, now FROM transactions ORDER BY account, lt DESC) t
       FULL JOIN latest_account_states s USING (account)
     WHERE (s.last_lt, s.last_hash, s.hash, s.mc_seqno, s.now) IS DISTINCT FROM (t.lt, t.hash, t.state_after, t.mc_seqno, t.now)`,
  )
  assert.equal(stale, 0)
  const broken = await countRows(
    database,
    `SELECT FROM (SELECT prev_lt, prev_hash, state_before, orig_status, lag(lt) OVER w AS lt, lag(hash) OVER w AS hash,
         lag(state_after) OVER w AS state_after, lag(end_status) OVER w AS end_status
       FROM transactions WINDOW w AS (PARTITION BY account ORDER BY lt)) t
     WHERE CASE WHEN prev_lt = 0 THEN prev_hash IS NOT NULL OR end_status <> ${NONEXIST}
       ELSE (prev_lt, prev_hash, orig_status) IS DISTINCT FROM (lt, hash, end_status) OR state_before <> state_after END`,
  )
  assert.equal(broken, 0)
  // The elector runs twice in each masterchain block, or once.
  const [longest] = await query<{ rows: bigint }>(
    database,
    'SELECT count(*) AS rows FROM transactions GROUP BY account ORDER BY 1 DESC LIMIT 1',
  )
  assert.ok(Number(longest!.rows) > 100 * (rounds - 1))
}

const checkBlocks = async (database: Database): Promise<void> => {
  const disordered = await countRows(
    database,
    `SELECT FROM (SELECT seqno, start_lt, gen_utime, lag(seqno) OVER w AS seqno_before, lag(end_lt) OVER w AS end_before,
         lag(gen_utime) OVER w AS utime_before FROM blocks WHERE workchain = -1 WINDOW w AS (ORDER BY seqno)) b
     WHERE seqno <> seqno_before + 1 OR start_lt < end_before OR gen_utime < utime_before`,
  )
  assert.equal(disordered, 0)
  const places = await query<{ account: Uint8Array; block_shard: bigint }>(
    database,
    'SELECT DISTINCT account, block_shard FROM transactions',
  )
  for (const { account, block_shard } of places) {
    assert.ok(shardContains(fromSignedShard(block_shard), getU64BE(account, 1)))
  }
  const alone = await countRows(
    database,
    `SELECT FROM transactions t LEFT JOIN blocks b ON b.mc_seqno = t.mc_seqno AND b.shard = t.block_shard AND b.seqno = t.block_seqno
       AND b.workchain = CASE get_byte(t.account, 0) WHEN 0 THEN 0 ELSE -1 END
     WHERE b.gen_utime IS DISTINCT FROM t.now OR t.lt NOT BETWEEN b.start_lt AND b.end_lt`,
  )
  assert.equal(alone, 0)
}

test('whoever is interrupted goes on, and ends with the same', { timeout: 400_000 }, async (t) => {
  if (!haveDatabase(t)) return
  // The network alone, twice.
  const network = chains.filter(({ name }) => name === 'network')
  const options = { chains: network, transactions: 2 * count(network[0]!).transactions, seed: 3 }
  const whole = await openFreshDatabase(t)
  await growIndex({ database: whole, ...options })

  const path = `${tempFolder(t)}/chains`
  assert.equal(findChains(path), undefined)
  saveChains(path, network)
  const saved = findChains(path)!
  const database = await openFreshDatabase(t)
  const ending = new AbortController()
  const first = await growIndex({ database, ...options, signal: ending.signal, onProgress: () => ending.abort() })
  assert.ok(first.added > 0 && first.added < options.transactions)
  const second = await growIndex({ database, ...options, chains: saved })
  assert.deepEqual([second.transactions, second.added], [options.transactions, options.transactions - first.added])
  assertSameIndex(await dumpIndex(database), await dumpIndex(whole))

  await assert.rejects(growIndex({ database, ...options, seed: 4 }), { code: 'other_network' })
})
