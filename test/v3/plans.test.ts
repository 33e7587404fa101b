import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { v3 } from '../../src/api/v3/index.ts'
import { optionParams } from '../../src/api/v3/V3Context.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { tracesInPartitionQuery } from '../../src/store/reader/accountTraces.ts'
import { actionsByPositionQuery } from '../../src/store/reader/actions.ts'
import { costlyFilters } from '../../src/store/reader/costlyFilters.ts'
import { queryBuilder } from '../../src/store/schema/tables.ts'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../support/database.ts'
import { explainStatement, listNodes } from '../support/explainStatement.ts'
import { growIndex } from '../support/grownIndex/growIndex.ts'
import { recordNetwork } from '../support/grownIndex/recordChains.ts'
import { pretendLarge } from '../support/pretendLarge.ts'
import { type RecordedQuery, recordQueries } from '../support/recordQueries.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { listRequests, unindexed } from '../support/v3Load/listRequests.ts'
import { sampleIndex } from '../support/v3Load/sampleIndex.ts'
import { serveV3 } from '../support/v3Service.ts'

const TRANSACTIONS = 22_000
const PARTITIONS = 3
/** As if there were millions. */
const TIMES = 100
/** Rows of a large table. The last partition may have a page or two, which are quicker read as a whole. */
const LARGE = 50 * TIMES
const { signal } = new AbortController()

after(closeSharedMachine)

/** Tables that the chains here leave empty. */
const fillRest = [
  `INSERT INTO actions (start_lt, end_lt, trace_end_lt, start_utime, end_utime, trace_end_utime, mc_seqno, success, type, trace_id,
     action_id, transactions, accounts, details)
   SELECT start_lt, end_lt, end_lt, start_utime, end_utime, end_utime, mc_seqno, true,
     (ARRAY['ton_transfer', 'jetton_transfer', 'call_contract'])[1 + (end_lt % 3)], trace_id, sha256(trace_id), ARRAY[trace_id], '{}', '{}'
   FROM traces`,
  `INSERT INTO action_accounts (end_lt, trace_end_lt, end_utime, trace_end_utime, mc_seqno, account, trace_start, action_start, type)
   SELECT DISTINCT a.end_lt, a.trace_end_lt, a.end_utime, a.trace_end_utime, a.mc_seqno, t.account, substring(a.trace_id FOR 8),
     substring(a.action_id FOR 8), a.type
   FROM actions a JOIN transactions t USING (trace_id)`,
  `INSERT INTO long_traces
   SELECT DISTINCT t.start_lt, t.end_lt, t.mc_seqno_start, t.mc_seqno, t.start_utime, t.end_utime, t.transactions, t.messages,
     t.trace_id, x.account
   FROM traces t JOIN transactions x USING (trace_id)`,
  `INSERT INTO nft_sales (since_lt, last_lt, kind, address, nft_address, nft_owner_address, code_hash, data_hash, details)
   SELECT last_lt, last_lt, 'getgems_sale', account, account, account, hash, hash, '{}' FROM latest_account_states`,
  'ANALYZE',
]

/** Tables that do not grow with the chain. */
const small = new Set(['codes', 'index_state', 'covered_ranges'])

/** The tables that have rows, and which of them are parts. */
const readTables = async (client: pg.ClientBase): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<{ name: string; parent: string; rows: number }>(
    `SELECT c.relname::text AS name, coalesce(p.relname, c.relname)::text AS parent, c.reltuples::float8 AS rows
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
  )
  return new Map(rows.filter(({ rows: count }) => count >= LARGE).map(({ name, parent }) => [name, parent]))
}

/** Gives so many messages one body. Its hash, in hexadecimal. */
const shareBody = (database: Database, messages: number): Promise<string> =>
  database.transaction(async (client) => {
    const body = 'b0'.repeat(32)
    const { rowCount } = await client.query(
      `UPDATE transactions SET in_body_hash = decode($1, 'hex')
       WHERE hash IN (SELECT hash FROM transactions WHERE in_body_hash IS NOT NULL LIMIT $2)`,
      [body, messages],
    )
    assert.equal(rowCount, messages)
    return body
  })

/** All that have one filter, and one in four of the others; `PLANS=all` asks everything, which takes a minute longer. */
const choose = (requests: readonly string[]): readonly string[] =>
  requests.filter((path, k) => process.env['PLANS'] === 'all' || path.split('=').length <= 2 || k % 4 === 0)

type Asked = { readonly path: string; readonly query: RecordedQuery['query'] }

test('no question of any kind reads a large table from end to end', { timeout: 400_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url })
  // Not the recorded chain, which is not everywhere: the same rows lead to the same plans in any clone.
  const chains = [await recordNetwork({ network: { payers: 40, rounds: 3, seed: 7 }, signal })]
  await growIndex({ database, chains, transactions: TRANSACTIONS, partitions: PARTITIONS })
  const requests = listRequests(await sampleIndex(url))

  await t.test('every parameter of every endpoint is asked with', () => {
    for (const { name, params } of v3.endpoints) {
      if (unindexed.includes(name)) continue
      const own = requests.filter((path) => path.startsWith(`${name}?`)).join('&')
      for (const param of Object.keys(params)) {
        if (param in optionParams || param === 'cursor') continue
        assert.ok(new RegExp(`[?&]${param}=`).test(own), `${name} is not asked with ${param}`)
      }
    }
  })

  const asked = await askAll(t, database, choose(requests))

  await t.test('filters that few rows or very many fulfil are answered', async (t) => {
    const { url: server } = await serveV3(t, database)
    const commonBody = await shareBody(database, 2001)
    const emptyBody = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'
    const [busy] = (await sampleIndex(url)).busiest
    const answered: readonly (readonly [path: string, isEmpty?: true])[] = [
      ['transactions?workchain=7', true],
      ['transactions?workchain=-1'],
      ['transactions?shard=1230000000000000', true],
      ['transactions?shard=8000000000000000&sort=asc'],
      ['blocks?workchain=7', true],
      ['blocks?shard=1230000000000000&sort=asc', true],
      ['jetton/wallets?sort=desc'],
      ['jetton/wallets?sort=asc&exclude_zero_balance=true'],
      [`messages?destination=${busy}`],
      [`messages?destination=${busy}&start_utime=1`],
      [`messages?source=${busy}&offset=20`],
      [`messages?destination=${busy}&opcode=0x12345678`, true],
      [`messages?body_hash=${emptyBody}`],
      [`transactionsByMessage?body_hash=${emptyBody}`],
      [`transactionsByMessage?body_hash=${commonBody}`],
      [`transactionsByMessage?body_hash=${commonBody}&direction=out`],
      [`transactionsByMessage?body_hash=${emptyBody}&direction=out&sort=asc`],
      ['transactionsByMessage?opcode=0&sort=asc'],
    ]
    for (const [path, isEmpty = false] of answered) {
      const response = await fetch(`${server}/api/v3/${path}`)
      const body = (await response.json()) as Record<string, unknown>
      assert.equal(response.status, 200, `${path}: ${body['error']}`)
      const rows = Object.values(body).find((value) => Array.isArray(value)) as unknown[]
      assert.equal(rows.length === 0, isEmpty, path)
    }
  })

  await t.test('each of their statements has an index for every large table', async (t) => {
    const client = await database.openConnection('explain')
    t.after(() => client.end())
    for (const statement of fillRest) await client.query(statement)
    await pretendLarge(client, TIMES)
    const large = await readTables(client)
    const seen = new Set(large.values())
    for (const name of ['transactions', 'blocks', 'traces', 'actions', 'latest_account_states', 'jetton_transfers']) {
      assert.ok(seen.has(name), `${name} is not large`)
    }
    const place = { trace_end_lt: 1n, trace_end_utime: 1, end_lt: 1n, end_utime: 1, mc_seqno: 1 }
    const start = new Uint8Array(8)
    const placed = actionsByPositionQuery([{ ...place, trace_start: start, action_start: start }]).compile(queryBuilder)
    const statements = [
      ...asked,
      { path: 'actions of an account', query: placed },
      { path: 'traces of an account', query: tracesInPartitionQuery([new Uint8Array(32)], { start: 0, end: 500 }) },
    ]
    const faults: string[] = []
    for (const { path, query } of statements) {
      const nodes = listNodes(await explainStatement(client, query))
      const scanned = nodes
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => large.get(node['Relation Name']!))
        .filter((table) => table !== undefined && !small.has(table))
      if (scanned.length > 0) faults.push(`${[...new Set(scanned)].join(', ')} by ${path}: ${query.sql}`)
    }
    t.diagnostic(`${choose(requests).length} of ${requests.length} requests, ${statements.length} statements`)
    assert.deepEqual(faults, [])
  })

  // So that all of the above can fail.
  await t.test('a statement without an index is found out', async (t) => {
    const client = await database.openConnection('explain')
    t.after(() => client.end())
    const query = queryBuilder.selectFrom('transactions').selectAll().where('state_after', '=', new Uint8Array(32))
    const plan = await explainStatement(client, query.compile())
    const scans = listNodes(plan).filter((node) => node['Node Type'] === 'Seq Scan')
    assert.ok(scans.length >= PARTITIONS)
  })
})

/** How refusals for their cost begin: of the store, and for the size of the response. */
const isTooCostly = (error: string): boolean =>
  Object.values<string>(costlyFilters).includes(error) || error.startsWith('The response would')

const bare = 'x_no_address_book=true&x_no_metadata=true'

/** Asks everything, and the second page of what has one. The statements that were made for it, each once. */
const askAll = async (
  t: { after(ending: () => unknown): void; diagnostic(text: string): void },
  database: Database,
  requests: readonly string[],
): Promise<Asked[]> => {
  const record = recordQueries(database)
  const service = await serveV3(t, record.database, { checkResults: false })
  const statements = new Map<string, Asked>()
  const costly = new Set<string>()
  const ask = async (path: string): Promise<string | undefined> => {
    const response = await fetch(`${service.url}/api/v3/${path}`)
    const body = (await response.json()) as { error?: string }
    for (const { query } of record.take()) if (!statements.has(query.sql)) statements.set(query.sql, { path, query })
    assert.ok([200, 404, 422].includes(response.status), `${path} was answered with ${response.status}: ${body.error}`)
    if (isTooCostly(body.error ?? '')) costly.add(`${path}: ${body.error}`)
    return response.headers.get('x-next-cursor') ?? undefined
  }
  for (const path of requests) {
    if (path.includes('limit=1000')) continue
    // What stands beside rows depends on the endpoint alone.
    const isFirst = !path.includes('&')
    const cursor = await ask(isFirst ? path : `${path}&${bare}`)
    if (cursor !== undefined) await ask(`${path}&${bare}&cursor=${encodeURIComponent(cursor)}`)
  }
  assert.deepEqual(service.logLines, [])
  assert.deepEqual([...costly], [])
  return [...statements.values()]
}
