import { startTestServer, createTestDatabase, silentLogger } from '/work/main/test/support/databaseServer.ts'
import { connectDatabase } from '/work/main/src/store/connect/connectDatabase.ts'
import { ensurePartitions } from '/work/main/src/store/partitions/ensurePartitions.ts'
import { writeActions } from '/work/main/src/store/writer/writeActions.ts'
import { listActions, allActionsQuery, accountActionsQuery, boundedActionsQuery, traceActionsQuery, actionsByPlaceQuery } from '/work/main/src/store/reader/listActions.ts'
import { messageEndsQuery } from '/work/main/src/store/reader/findMessageEnds.ts'
import { tracesQuery } from '/work/main/src/store/reader/listTraces.ts'
import { longTracesQuery, accountStepsQuery, finishedTracesQuery } from '/work/main/src/store/reader/listAccountTraces.ts'
import { traceTransactionsQuery } from '/work/main/src/store/reader/findTraceTransactions.ts'
import { queryBuilder } from '/work/main/src/store/queryBuilder.ts'
import { expandActionTypes } from '/work/main/src/api/v3/supportedActionTypes.ts'
import { createHash } from 'node:crypto'
const server = await startTestServer()
const { url, drop } = await createTestDatabase(server.url, 'migrated')
const database = await connectDatabase({ url, logger: silentLogger, signal: new AbortController().signal })
await ensurePartitions(database, Array.from({length: 8}, (_, k) => k * 10000), 10000)
const h = (s: string) => createHash('sha256').update(s).digest()
const N = 200000
const names = ['ton_transfer','call_contract','jetton_transfer','jetton_swap','contract_deploy']
const acct = (k: number) => Buffer.concat([Buffer.from([0]), h('a' + k)])
const t0 = performance.now()
for (let at = 0; at < N; at += 20000) {
  await database.transaction((client) => writeActions(client, Array.from({length: 20000}, (_, i) => { const k = at + i; const lt = BigInt(k) * 100000n; const utime = 1700000000 + Math.floor(k / 4); return {
    traceId: h('t' + (k >> 1)), actionId: h('x' + k), startLt: lt, endLt: lt, startUtime: utime, endUtime: utime, traceEndLt: BigInt(k >> 1) * 200000n, traceEndUtime: 1700000000 + Math.floor((k >> 1) / 2), traceEndSeqno: Math.floor(k * 80000 / N),
    transactions: [h('h' + k), h('g' + k)], accounts: [acct(k % 2000), acct(k % 7), acct(100000 + k)], success: true, type: k % 5000 === 0 ? 'nft_purchase' : names[k % 5]!, shownType: undefined, ancestorTypes: k % 50 === 0 ? ['jvault_stake'] : [], details: { source: '0:AA', destination: '0:BB', value: '1000000000', comment: null, encrypted: false, asset: '0:CC' }, rawAction: undefined } })))
}
console.log('wrote', N, 'actions in', Math.round(performance.now() - t0), 'ms')
await database.transaction(async (client) => { const {rows} = await client.query(`select relname, sum(pg_total_relation_size(c.oid))::int8 as b from (select inhrelid as oid, inhparent::regclass::text as relname from pg_inherits where inhparent::regclass::text in ('actions','action_accounts')) c group by 1`); console.log(rows) })
const client = await database.openConnection('x')
await client.query('analyze')
const known = expandActionTypes([])
const types = { types: known, known, areFew: false }
const none = { startUtime: undefined, endUtime: undefined, startLt: undefined, endLt: undefined }
const page = (after?: any) => ({ limit: 100, offset: 0, after })
const w = { ...none, direction: 'desc' as const }
const wt = { ...none, endUtime: 1700030000, direction: 'desc' as const }
const cur = { order: 'actions by lt desc', key: [BigInt(N) * 30000n, h('t5'), 5n, h('x')] }
const qs: Record<string, any> = {
  all: allActionsQuery({ types, window: w, among: undefined, account: undefined }, page()).compile(queryBuilder),
  allCursor: allActionsQuery({ types, window: w, among: undefined, account: undefined }, page(cur)).compile(queryBuilder),
  allTime: allActionsQuery({ types, window: wt, among: undefined, account: undefined }, page()).compile(queryBuilder),
  rare: allActionsQuery({ types: { types: ['nft_purchase','jvault_stake'], known, areFew: true }, window: w, among: undefined, account: undefined }, page()).compile(queryBuilder),
  rareTime: allActionsQuery({ types: { types: ['nft_purchase'], known, areFew: true }, window: wt, among: undefined, account: undefined }, page()).compile(queryBuilder),
  exclude: allActionsQuery({ types: { types: known.filter((x) => x !== 'ton_transfer'), known, areFew: true }, window: w, among: undefined, account: undefined }, page()).compile(queryBuilder),
  account: accountActionsQuery({ types, window: w, among: undefined, account: acct(3) }, page()).compile(),
  accountCursor: accountActionsQuery({ types, window: w, among: undefined, account: acct(3) }, page(cur)).compile(),
  accountTime: accountActionsQuery({ types, window: wt, among: undefined, account: acct(1500) }, page()).compile(),
  ids: boundedActionsQuery({ types, window: w, among: { actionIds: [h('x5'), h('x77')] }, account: undefined }, page()).compile(),
  traces: boundedActionsQuery({ types, window: w, among: { traceIds: Array.from({length: 200}, (_, k) => h('t' + k * 400)) }, account: undefined }, page()).compile(),
  block: boundedActionsQuery({ types, window: w, among: { traceIds: [h('t5'), h('t7')], mcSeqno: 2 , account: acct(3)}, account: undefined }, page()).compile(),
  ofTraces: traceActionsQuery(Array.from({length: 10}, (_, k) => h('t' + k * 400)), types).compile(),
  places: actionsByPlaceQuery(Array.from({length: 100}, (_, k) => ({ trace_id: h('t' + ((k * 400) >> 1)), action_id: h('x' + k * 400), mc_seqno: Math.floor(k * 400 * 80000 / N) }) as any)).compile(queryBuilder),
  messageEnds: messageEndsQuery([h('a'), h('b')]).compile(queryBuilder),
  tracesAll: tracesQuery({ window: w }, page()).compile(),
  long: longTracesQuery(acct(1), w, page()).compile(),
  steps: accountStepsQuery(acct(1), { from: 0n, to: 10n ** 15n }, 'desc', 64).compile(),
  finished: finishedTracesQuery([h('a')], 1, 500).compile(),
}
for (const [name, q] of Object.entries(qs)) {
  const { rows } = await client.query(`explain (analyze, buffers) ${q.sql}`, [...q.parameters])
  const lines = rows.map((r: any) => r['QUERY PLAN'])
  const seq = lines.filter((l: string) => /Seq Scan/.test(l) && !/never executed/.test(l) )
  const time = lines.find((l: string) => /Execution Time/.test(l))
  console.log(name.padEnd(14), time, 'plan', lines.find((l: string) => /Planning Time/.test(l)), 'seq:', seq.length, seq[0] ?? '')
  if (process.argv.includes(name)) console.log(lines.join('\n'))
}
await client.end(); await database.close(); await drop(); await server.stop()
