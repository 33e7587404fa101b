import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { haveDatabase } from '../../../test/support/database.ts'
import { assertSameIndex } from '../../../test/support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../../../test/support/sampleIndex/dumpIndex.ts'
import { noLease, SampleIndexer } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { NodeAnswerError } from '../../chain/errors.ts'
import { repairBlockSet } from './repairBlockSet.ts'
import { type Fault, type Finding, verifyRange } from './verifyRange.ts'

const BLOCK_SETS = 45
const world = makeWorld({ seed: 21, blockSets: BLOCK_SETS, width: 6 })
const { signal } = new AbortController()

const makeIndex = async (t: TestContext) => {
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(20, 40)
  await indexer.index(10, 19)
  const fetchBlockSet = async (seqno: number) => indexer.blockSets(seqno, seqno)[0]!
  const verify = async (source: typeof fetchBlockSet | undefined = undefined) => {
    const findings: Finding[] = []
    const onFinding = (finding: Finding): number => findings.push(finding)
    const result = await verifyRange(indexer.database, {
      firstSeqno: 1,
      lastSeqno: BLOCK_SETS,
      fetchBlockSet: source,
      signal,
      onFinding,
    })
    assert.equal(result.findings, findings.length)
    return { ...result, list: findings.map(({ seqno, fault }) => `${seqno} ${fault}`) }
  }
  const change = (sql: string) => indexer.database.transaction((client) => client.query(sql))
  return { indexer, fetchBlockSet, verify, change }
}

const countTransactions = (first: number, last: number): number =>
  world.filter(({ seqno }) => seqno >= first && seqno <= last).flatMap((blockSet) => blockSet.transactions).length

test('what was indexed is found to be there', async (t) => {
  if (!haveDatabase(t)) return
  const { verify, fetchBlockSet } = await makeIndex(t)
  const expected = { blocks: 31, transactions: countTransactions(10, 40), findings: 0, list: [] }
  assert.deepEqual(await verify(), expected)
  assert.deepEqual(await verify(fetchBlockSet), expected)
})

test('a message between two ranges that have not met is no fault', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world)
  await indexer.index(5, 12)
  await indexer.index(14, 40)
  const faults: Fault[] = []
  await verifyRange(indexer.database, {
    firstSeqno: 1,
    lastSeqno: 50,
    signal,
    onFinding: (it) => faults.push(it.fault),
  })
  assert.deepEqual(faults, [])
})

const busy = world.find(
  ({ seqno, transactions }) =>
    seqno > 22 && transactions.some((tx) => tx.sent.length > 1 && tx.sent[0]!.kind === 'externalOut'),
)!.seqno

const damages: readonly { readonly what: string; readonly sql: string; readonly fault: Fault }[] = [
  { what: 'a transaction gone', sql: oneOf('transactions', 'DELETE FROM'), fault: 'rows_changed' },
  {
    what: 'all its transactions gone',
    sql: `DELETE FROM transactions WHERE mc_seqno = ${busy}`,
    fault: 'rows_changed',
  },
  {
    what: 'an amount changed',
    sql: `UPDATE transactions SET total_fees = 1 WHERE mc_seqno = ${busy}`,
    fault: 'rows_changed',
  },
  { what: 'a block gone', sql: `DELETE FROM blocks WHERE mc_seqno = ${busy} AND workchain = 0`, fault: 'rows_changed' },
  { what: 'its tops gone', sql: `DELETE FROM shard_tops WHERE mc_seqno = ${busy}`, fault: 'rows_changed' },
  {
    what: 'its messages gone',
    sql: `DELETE FROM unreceived_messages WHERE mc_seqno = ${busy}`,
    fault: 'rows_changed',
  },
  {
    what: 'nothing says it was indexed',
    sql: `DELETE FROM indexed_blocks WHERE mc_seqno = ${busy}`,
    fault: 'block_missing',
  },
  {
    what: 'no way from its hashes',
    sql: `DELETE FROM transaction_lookup WHERE mc_seqno = ${busy}`,
    fault: 'lookup_missing',
  },
]

function oneOf(table: string, verb: string): string {
  return `${verb} ${table} WHERE mc_seqno = ${busy} AND lt = (SELECT max(lt) FROM ${table} WHERE mc_seqno = ${busy})`
}

for (const { what, sql, fault } of damages) {
  test(`found and mended: ${what}`, async (t) => {
    if (!haveDatabase(t)) return
    const { indexer, fetchBlockSet, verify, change } = await makeIndex(t)
    const before = await dumpIndex(indexer.database)
    assert.ok(((await change(sql)).rowCount ?? 0) > 0)
    const { list } = await verify()
    assert.ok(list.includes(`${busy} ${fault}`), list.join())
    await repairBlockSet(indexer.database, await fetchBlockSet(busy), noLease)
    assert.deepEqual((await verify(fetchBlockSet)).list, [])
    assertSameIndex(await dumpIndex(indexer.database), before)
  })
}

test('a body that is not what its hash says', async (t) => {
  if (!haveDatabase(t)) return
  const { indexer, fetchBlockSet, verify, change } = await makeIndex(t)
  const before = await dumpIndex(indexer.database)
  await change(`UPDATE message_contents SET content = '\\x0002ff' WHERE mc_seqno = 20`)
  const { list } = await verify()
  assert.ok(list.length > 0 && list.every((it) => it.endsWith('content_missing')), list.join())
  for (const finding of list)
    await repairBlockSet(indexer.database, await fetchBlockSet(Number.parseInt(finding, 10)), noLease)
  assert.deepEqual((await verify(fetchBlockSet)).list, [])
  assertSameIndex(await dumpIndex(indexer.database), before)
})

test('rows that the source has otherwise', async (t) => {
  if (!haveDatabase(t)) return
  const { indexer, verify } = await makeIndex(t)
  const other = new SampleIndexer(indexer.database, makeWorld({ seed: 22, blockSets: BLOCK_SETS, width: 6 }))
  const { list } = await verify(async (seqno) => (seqno === 33 ? other : indexer).blockSets(seqno, seqno)[0]!)
  assert.deepEqual(list, ['33 source_differs'])
})

test('a message that counts as received and as not', async (t) => {
  if (!haveDatabase(t)) return
  const { verify, change } = await makeIndex(t)
  const { rowCount } = await change(
    `INSERT INTO unreceived_messages (created_lt, value, fwd_fee, created_at, mc_seqno, opcode, bits, account, destination, hash,
       body_hash, trace_id)
     SELECT t.in_created_lt, t.in_value, t.in_fwd_fee, t.in_created_at, s.mc_seqno, t.in_opcode, t.in_bits, t.in_source, t.account,
       t.in_hash, t.in_body_hash, t.trace_id
     FROM transactions t JOIN transactions s ON s.account = t.in_source AND s.lt < t.in_created_lt AND s.lt + s.out_count >= t.in_created_lt
     WHERE t.mc_seqno = 25 LIMIT 1`,
  )
  assert.equal(rowCount, 1)
  const { list } = await verify()
  assert.equal(list.length, 1)
  assert.match(list[0]!, /message_doubled/)
})

test('what is not covered is not repaired', async (t) => {
  if (!haveDatabase(t)) return
  const { indexer, fetchBlockSet } = await makeIndex(t)
  await assert.rejects(repairBlockSet(indexer.database, await fetchBlockSet(43), noLease), {
    code: 'batch_out_of_place',
  })
})

test('blocks that the source has damaged are told of, and those behind them are looked at', async (t) => {
  if (!haveDatabase(t)) return
  const { indexer, fetchBlockSet } = await makeIndex(t)
  const findings: Finding[] = []
  const { blocks } = await verifyRange(indexer.database, {
    firstSeqno: 1,
    lastSeqno: BLOCK_SETS,
    fetchBlockSet: async (seqno) => {
      if (seqno === 25) throw new NodeAnswerError('Block 25 is another. It was read from archive.00000.pack.')
      return fetchBlockSet(seqno)
    },
    signal,
    onFinding: (finding) => findings.push(finding),
  })
  assert.equal(blocks, 31)
  const detail = 'Block 25 is another. It was read from archive.00000.pack.'
  assert.deepEqual(findings, [{ seqno: 25, fault: 'source_damaged', detail }])
})
