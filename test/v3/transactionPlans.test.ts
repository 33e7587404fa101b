import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Database, Reader } from '../../src/store/connect/Database.ts'
import { accountStepsQuery } from '../../src/store/reader/accountTraces.ts'
import {
  accountPagesQuery,
  reachQuery,
  transactionsOfAccountsQuery,
} from '../../src/store/reader/accountTransactions.ts'
import { eventTransactionsQuery } from '../../src/store/reader/events.ts'
import {
  hashPositionsQuery,
  previousQuery,
  relatedQuery,
  rootsQuery,
  transactionsAtQuery,
} from '../../src/store/reader/findTransactions.ts'
import { scanQuery } from '../../src/store/reader/indexScan.ts'
import { keyCountQuery, messagesPageQuery, type Search } from '../../src/store/reader/messageBranches.ts'
import { contentsInPartitionQuery, contentsInPartitionsQuery } from '../../src/store/reader/messageContents.ts'
import { sendersQuery, sentInTracesQuery, sentMessagesQuery, traceSender } from '../../src/store/reader/messageEnds.ts'
import type { MessageKey } from '../../src/store/reader/messageKeys.ts'
import type { MessageFilter } from '../../src/store/reader/messageRecord.ts'
import { findMessageRows, listMessages, messagesReachQuery } from '../../src/store/reader/messages.ts'
import { accountOffsetQuery, ltsAtQuery, transactionsFromQuery } from '../../src/store/reader/offsetPages.ts'
import {
  anyLt,
  type Cursor,
  ltWindowsQuery,
  manyKeysQuery,
  type Page,
  type Paged,
} from '../../src/store/reader/page.ts'
import { transactionsByKeyQuery } from '../../src/store/reader/readTransactions.ts'
import {
  shardSpanQuery,
  type TransactionFilter,
  transactionsOfShardQuery,
  workchainsQuery,
} from '../../src/store/reader/transactionFilter.ts'
import {
  accountsQueryOf,
  blockPagesQuery,
  listTransactions,
  transactionsByLtScan,
  transactionsByTimeQuery,
  transactionsOfBlocksQuery,
  transactionsOfHashesQuery,
} from '../../src/store/reader/transactions.ts'
import {
  foundMessagesQuery,
  listTransactionsByMessage,
  namedMessagesQuery,
  receivedMessagesQuery,
  receiversScan,
  scanCountQuery,
  type TransactionsByMessageFilter,
} from '../../src/store/reader/transactionsByMessage.ts'
import { PartitionMap } from '../../src/store/schema/PartitionMap.ts'
import { queryBuilder } from '../../src/store/schema/tables.ts'
import { ensurePartitions } from '../../src/store/writer/partitions.ts'
import { checkCostlyFilters } from '../support/costlyCases.ts'
import { countRead } from '../support/countRead.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { explainStatement, type PlanNode } from '../support/explainStatement.ts'
import { pretendLarge } from '../support/pretendLarge.ts'

const BLOCK_SETS = 2999
const WIDTH = 500
const PER_UNIT = 20
const START = 1_700_000_000
const SHARD = -(2n ** 63n)
const COMMON = 7
const RARE = 99
/** As frequent as any, but a busy account has received it once. */
const ELSEWHERE = 8
/** An account with two transactions in every block. */
const BUSY = 1

const keyOf = (number: string): string => `decode(lpad(to_hex((${number})::int8), 66, '0'), 'hex')`
const accountOf = (mc: string): string => `CASE WHEN k <= 2 THEN ${BUSY} ELSE 2 + (${mc} * 7 + k) % 400 END`
const hashOf = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`
const ltOf = (mc: string): string => `((${mc})::int8 * 1000000 + 10 * k)`

/**
 * Every transaction sends one message, which the one with the same number in the next block receives. Those with number 7 send a log,
 * and those with 10 and 20 receive something from outside.
 */
const statements = [
  `INSERT INTO index_state (zero_state, partition_width) VALUES ('\\x00', ${WIDTH})`,
  `INSERT INTO blocks (workchain, shard, seqno, mc_seqno, start_lt, end_lt, gen_utime, tx_count, global_id, version, header_bits, flags,
     validator_list_hash_short, gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, vert_seqno, master_ref_seqno, prev_seqnos,
     root_hash, file_hash, rand_seed, created_by)
   SELECT CASE kind WHEN 0 THEN -1 ELSE 0 END, ${SHARD}, mc, mc, mc::int8 * 1000000 + kind, mc::int8 * 1000000 + 500,
     ${START} + 5 * mc, CASE kind WHEN 0 THEN 0 ELSE ${PER_UNIT} END, -239, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '', '', '', ''
   FROM generate_series(1, ${BLOCK_SETS}) AS mc, generate_series(0, 1) AS kind`,
  `INSERT INTO transactions (lt, prev_lt, block_shard, total_fees, balance, now, mc_seqno, block_seqno, orig_status, end_status, out_count,
     account, hash, state_after, description, trace_id, in_bits, in_hash, in_hash_norm, in_created_lt, in_created_at, in_source, in_opcode,
     in_body_hash)
   SELECT ${ltOf('mc')}, 0, ${SHARD}, 1, 1, ${START} + 5 * mc, mc, mc, 2, 2, 1, ${keyOf(accountOf('mc'))}, ${hashOf("mc || ' ' || k")},
     '', '', ${hashOf("'root ' || k")},
     CASE WHEN k = 7 THEN 0 WHEN k % 10 = 0 THEN 2 ELSE 1 END,
     CASE WHEN k <> 7 THEN ${hashOf("'m ' || mc || ' ' || k")} END,
     CASE WHEN k <> 7 THEN ${hashOf("'norm ' || mc % 100")} END,
     CASE WHEN k <> 7 AND k % 10 <> 0 THEN ${ltOf('mc - 1')} + 1 END,
     CASE WHEN k <> 7 AND k % 10 <> 0 THEN ${START} + 5 * (mc - 1) END,
     CASE WHEN k <> 7 AND k % 10 <> 0 THEN ${keyOf(accountOf('(mc - 1)'))} END,
     CASE WHEN k = 9 OR k = 1 AND mc = 1500 THEN ${ELSEWHERE} WHEN k = 3 AND mc % 1000 = 0 THEN ${RARE} WHEN k % 2 = 0 THEN ${COMMON} END,
     CASE WHEN k = 7 OR k = 5 THEN NULL ELSE ${hashOf("'body ' || CASE WHEN k = 4 THEN mc % 40 ELSE -1 END")} END
   FROM generate_series(1, ${BLOCK_SETS}) AS mc, generate_series(1, ${PER_UNIT}) AS k`,
  `INSERT INTO unreceived_messages (created_lt, created_at, mc_seqno, bits, account, hash, trace_id, opcode)
   SELECT ${ltOf('mc')} + 1, ${START} + 5 * mc, mc, 3, ${keyOf(accountOf('mc'))}, ${hashOf("'log ' || mc")}, '', ${COMMON}
   FROM generate_series(1, ${BLOCK_SETS}) AS mc, generate_series(7, 7) AS k`,
  `INSERT INTO message_contents (mc_seqno, hash, content)
   SELECT mc * ${WIDTH}, ${hashOf("'body ' || k")}, '' FROM generate_series(0, ${(BLOCK_SETS + 1) / WIDTH - 1}) AS mc, generate_series(-1, 1000) AS k`,
  `INSERT INTO transaction_lookup SELECT ('x' || encode(substring(hash, 1, 8), 'hex'))::bit(64)::int8, lt, mc_seqno FROM transactions`,
  'ANALYZE',
]

const starts = Array.from({ length: (BLOCK_SETS + 1) / WIDTH }, (_, k) => k * WIDTH)
const partitions = new PartitionMap(starts.map((start) => ({ start, end: start + WIDTH })))

const fill = async (database: Database): Promise<void> => {
  await ensurePartitions(database, starts, WIDTH)
  await database.transaction(async (client) => {
    for (const statement of statements) await client.query(statement)
  })
  // So that what an index holds need not be looked up in its table.
  const client = await database.openConnection('vacuum')
  await client.query('VACUUM transactions')
  await pretendLarge(client, 100)
  await client.end()
}

const account = (number: number): Uint8Array => {
  const bytes = Buffer.alloc(33)
  bytes.writeUInt32BE(number, 29)
  return bytes
}

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const first: Page = { limit: 10, offset: 0, after: undefined }
const raw = (query: RawBuilder<unknown>): CompiledQuery<unknown> => query.compile(queryBuilder)
const middle = BigInt((BLOCK_SETS + 1) / 2) * 1_000_000n
const later = START + 5 * ((BLOCK_SETS + 1) / 2)

const newest: TransactionFilter = { time: {}, direction: 'desc' }
const anyMessages: MessageFilter = { time: {}, excludeExternals: false, onlyExternals: false, direction: 'desc' }

const searchOf = (filter: Partial<MessageFilter>, accessPath: Search['accessPath']): Search => ({
  filter: { ...anyMessages, ...filter },
  bounds: { lt: anyLt, time: {} },
  accessPath,
  order: 'lt',
  after: undefined,
  afterOrder: 'lt',
  depth: 11,
})

const walked = (by: MessageKey, length?: number): Search['accessPath'] => ({ kind: 'scanned', by, length })

test('transactions and messages in bounded work, however much there is', { timeout: 400_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await fill(database)
  const server = database.reader()
  const [one, another] = [await digest('1500 3'), await digest('20 9')]
  const sender = {
    account: account(BUSY),
    lt: middle + 10n,
    out_count: 1,
    mc_seqno: 1500,
    trace_id: await digest('root 3'),
  }
  const many = Array.from({ length: 401 }, (_, k) => account(k + 1))
  const page = (order: string, ...key: Cursor['key']): Page => ({ ...first, after: { order, key } })
  const messages = (filter: Partial<MessageFilter>, by: MessageKey = 'lt', more: Partial<Search> = {}) =>
    raw(messagesPageQuery({ ...searchOf(filter, walked(by)), ...more }, first)!)

  const body = await digest('body -1')
  const receivers = (filter: Partial<TransactionsByMessageFilter>, by: 'body' | 'opcode', own: Page = first) =>
    raw(scanQuery(receiversScan({ direction: 'desc', ...filter }, by, own), undefined))

  await t.test('no more is read than is needed', async (t) => {
    const questions: readonly (readonly [name: string, most: number, query: CompiledQuery<unknown>])[] = [
      ['newest', 60, raw(scanQuery(transactionsByLtScan(newest, first), undefined))],
      [
        'deep',
        60,
        raw(scanQuery(transactionsByLtScan(newest, page('transactions by lt desc', middle, account(5))), undefined)),
      ],
      ['an offset of an account', 320, accountOffsetQuery(account(BUSY), anyLt, 'desc', 300)],
      ['an offset of all', 340, ltsAtQuery('desc', 300, 33)],
      ['from an offset of all', 60, transactionsFromQuery('desc', middle, 11, 3)],
      ['a window', 60, raw(scanQuery(transactionsByLtScan({ ...newest, endLt: middle }, first), undefined))],
      ['a workchain', 60, raw(scanQuery(transactionsByLtScan({ ...newest, workchain: 0 }, first), undefined))],
      [
        'a workchain that is not there',
        10,
        raw(scanQuery(transactionsByLtScan({ ...newest, workchain: 7 }, first), undefined)),
      ],
      [
        'a workchain, deep',
        60,
        raw(
          scanQuery(
            transactionsByLtScan({ ...newest, workchain: 0 }, page('transactions by lt desc', middle, account(5))),
            undefined,
          ),
        ),
      ],
      [
        'a workchain by time',
        120,
        raw(transactionsByTimeQuery({ ...newest, workchain: 0, time: { to: later } }, first)),
      ],
      ['another by time', 10, raw(transactionsByTimeQuery({ ...newest, workchain: -1, time: { to: later } }, first))],
      ['a shard', 120, raw(transactionsOfShardQuery({ ...newest, shard: 1n << 63n }, [-1, 0], anyLt, first))],
      [
        'a shard, deep',
        120,
        raw(
          transactionsOfShardQuery(
            { ...newest, shard: 1n << 63n },
            [0],
            { from: 0n, to: middle },
            page('transactions by lt desc', middle, account(5)),
          ),
        ),
      ],
      [
        'a shard that is not there',
        10,
        raw(transactionsOfShardQuery({ ...newest, shard: 5n << 60n }, [-1, 0], anyLt, first)),
      ],
      ['how long a shard was there', 20, raw(shardSpanQuery(0, 1n << 63n))],
      ['which workchains there are', 60, workchainsQuery()],
      ['a masterchain block', 90, raw(scanQuery(transactionsByLtScan({ ...newest, mcSeqno: 1500 }, first), undefined))],
      ['a time', 120, raw(transactionsByTimeQuery({ ...newest, time: { to: later } }, first))],
      [
        'a time, deep',
        120,
        raw(
          transactionsByTimeQuery(
            { ...newest, time: { from: 1 } },
            page('transactions by time desc', later, middle, account(5)),
          ),
        ),
      ],
      [
        'a block',
        60,
        raw(transactionsOfBlocksQuery({ ...newest, seqno: 1500, workchain: 0, shard: 1n << 63n }, first)),
      ],
      [
        'hashes',
        10,
        raw(transactionsOfHashesQuery(newest, [{ hash: one, lt: middle + 10n, mc_seqno: 1500, account: null }], first)),
      ],
      [
        'an account',
        60,
        raw(transactionsOfAccountsQuery(accountsQueryOf({ ...newest, accounts: [account(BUSY)] }, anyLt, first))),
      ],
      [
        'an account, deep',
        60,
        raw(
          transactionsOfAccountsQuery(
            accountsQueryOf(
              { ...newest, accounts: [account(BUSY)] },
              anyLt,
              page('transactions by lt of one desc', middle),
            ),
          ),
        ),
      ],
      // Each account has its first ones in every partition.
      [
        'many accounts',
        400 * 18,
        raw(transactionsOfAccountsQuery(accountsQueryOf({ ...newest, accounts: many }, anyLt, first))),
      ],
      [
        'how far many accounts reach',
        400 * 30,
        raw(reachQuery(accountsQueryOf({ ...newest, accounts: many }, anyLt, { ...first, limit: 1000 }), 22)),
      ],
      ['places of hashes', 10, hashPositionsQuery([one, another])],
      ['by hash', 4, transactionsAtQuery([{ hash: one, lt: middle + 10n, mc_seqno: 1500, account: null }])],
      ['by key', 4, transactionsByKeyQuery([{ account: account(BUSY), lt: middle + 10n, mcSeqno: 1500 }])],
      ['what was sent', 40, sentMessagesQuery([sender], 256)],
      ['what was sent within a long trace', 110, sentInTracesQuery([traceSender(sender, partitions)])],
      ['who sent it', 20, sendersQuery([{ source: account(BUSY), createdLt: middle + 11n, mcSeqno: 1501 }])],
      ['by message', 10, raw(foundMessagesQuery({ direction: 'desc' }, [await digest('m 50 3')]))],
      ['by a message that was received', 10, raw(receivedMessagesQuery(newest, [await digest('m 50 3')]))],
      ['who received a rare opcode', 10, receivers({ opcode: RARE }, 'opcode')],
      ['who received a common opcode', 60, receivers({ opcode: COMMON }, 'opcode')],
      ['who received a body', 60, receivers({ bodyHash: body }, 'body')],
      ['who received the empty body', 60, receivers({ bodyHash: 'empty' }, 'body')],
      ['who received the empty body, upwards', 60, receivers({ bodyHash: 'empty', direction: 'asc' }, 'body')],
      [
        'who received a body, deep',
        60,
        receivers({ bodyHash: body }, 'body', page('by message desc', middle, account(5))),
      ],
      [
        'how many received a body',
        1100,
        raw(scanCountQuery(receiversScan({ bodyHash: body, direction: 'desc' }, 'body', first))),
      ],
      ['messages', 120, messages({})],
      [
        'how many messages went to a busy account',
        1200,
        raw(keyCountQuery(searchOf({ destination: account(BUSY) }, walked('destination')), 1000)),
      ],
      ['how far messages reach', 90, raw(messagesReachQuery(searchOf({ excludeExternals: true }, walked('lt')))!)],
      ...(['asc', 'desc'] as const).flatMap((direction): [string, number, CompiledQuery<unknown>][] => {
        const after = { made: middle, hash: one }
        const busy = { destination: account(BUSY), direction }
        return [
          [`what a destination received, ${direction}`, 90, messages(busy, 'destination')],
          [`what it received, deep, ${direction}`, 90, messages(busy, 'destination', { after })],
          [`what another received, ${direction}`, 90, messages({ destination: account(5), direction }, 'destination')],
          [`what came from outside, ${direction}`, 60, messages({ ...busy, onlyExternals: true }, 'destination')],
          [`what a source sent, ${direction}`, 90, messages({ source: account(BUSY), direction }, 'source')],
          [`what it sent, deep, ${direction}`, 90, messages({ source: account(BUSY), direction }, 'source', { after })],
          [`a body, ${direction}`, 90, messages({ bodyHash: body, direction, excludeExternals: true }, 'body')],
          [`a body, deep, ${direction}`, 90, messages({ bodyHash: body, direction, side: 'out' }, 'body', { after })],
          [`the empty body, ${direction}`, 90, messages({ bodyHash: 'empty', direction }, 'body')],
          [
            `opcodes from outside, ${direction}`,
            60,
            messages({ opcode: COMMON, onlyExternals: true, direction }, 'opcode'),
          ],
          [`a destination and an opcode, ${direction}`, 90, messages({ ...busy, opcode: COMMON }, 'destinationOpcode')],
          [
            `a destination and an opcode, deep, ${direction}`,
            90,
            messages({ ...busy, opcode: COMMON }, 'destinationOpcode', { after }),
          ],
        ]
      }),
      ['messages from inside', 90, messages({ excludeExternals: true })],
      ['messages with an opcode', 90, messages({ excludeExternals: true, opcode: COMMON }, 'opcode')],
      ['messages with a rare opcode', 20, messages({ excludeExternals: true, opcode: RARE }, 'opcode')],
      ['logs', 90, messages({ destination: 'none' })],
    ]
    for (const [name, most, query] of questions) {
      const read = await countRead(database, query)
      t.diagnostic(`${name}: ${read} rows`)
      assert.ok(read <= most, `${name} read ${read} rows`)
    }
  })

  const readsFew = async (
    t: TestContext,
    name: string,
    most: number,
    ask: (reader: Reader) => Promise<void>,
  ): Promise<void> => {
    let read = 0
    await ask({
      read: async (query) => {
        const own = await countRead(database, query)
        read += own
        return server.listReads.read(query)
      },
    })
    t.diagnostic(`${name}: ${read} rows`)
    assert.ok(read <= most, `${name} read ${read} rows`)
  }

  await t.test('a destination and an opcode that very many messages match, and hardly any match both', async (t) => {
    const busy = account(BUSY)
    const pairs: readonly (readonly [Partial<MessageFilter>, found: number, most?: number])[] = [
      [{ destination: busy, opcode: ELSEWHERE }, 1],
      [{ destination: busy, opcode: ELSEWHERE, onlyExternals: true }, 0],
      // The messages of the source are counted, too, up to a thousand.
      [{ source: busy, destination: busy, opcode: ELSEWHERE }, 1, 1100],
      [{ destination: busy, opcode: ELSEWHERE, time: { from: START } }, 1],
    ]
    for (const [filter, found, most = 40] of pairs) {
      for (const direction of ['asc', 'desc'] as const) {
        const name = `${Object.keys(filter).join(' and ')}, ${direction}`
        await readsFew(t, name, most, async (reader) => {
          const rows = await findMessageRows(reader, { ...anyMessages, ...filter, direction }, first)
          assert.equal(rows.length, found, name)
        })
      }
    }
    for (const ends of [{ destination: busy }, { source: busy, destination: busy }]) {
      const name = `receivers by ${Object.keys(ends).join(' and ')} and opcode`
      await readsFew(t, name, 40, async (listReads) => {
        const asked = { ...ends, opcode: ELSEWHERE, direction: 'desc' } as const
        const { rows } = await listTransactionsByMessage({ ...server, listReads }, asked, first)
        assert.equal(rows.length, 1, name)
      })
    }
  })

  await t.test('in the order of times the planner knows how few messages have a key', async () => {
    const query = messages({ destination: account(BUSY), time: { from: later } }, 'destination', {
      order: 'time',
      bounds: { lt: { from: middle, to: middle + 20_000_000n }, time: { from: later } },
    })
    assert.ok((await countRead(database, query)) <= 90)
    const plan = await database.transaction((client) => explainStatement(client, query))
    const expectedOf = (node: PlanNode): number =>
      (node['Relation Name']?.startsWith('transactions') ? node['Plan Rows']! : 0) +
      (node.Plans ?? []).reduce((sum, each) => sum + expectedOf(each), 0)
    // It takes the table for a hundred times as large. If it expects a good part of it, it reads all of a large one.
    const whole = 100 * BLOCK_SETS * PER_UNIT
    assert.ok(expectedOf(plan) < whole / 100, `${expectedOf(plan)} of ${whole} rows`)
  })

  await t.test('what several ask at once is no more work for each, however many they are', async (t) => {
    for (const count of [1, 30, 300]) {
      const numbers = Array.from({ length: count }, (_, k) => k)
      const seqnos = numbers.map((k) => 1 + ((k * 97) % BLOCK_SETS))
      const accounts = numbers.map((k) => account(k + 1))
      const hashes = await Promise.all(seqnos.map((mc) => digest(`${mc} 3`)))
      const received = await Promise.all(seqnos.map((mc) => digest(`m ${mc} 3`)))
      const senders = seqnos.map((mc) => ({ ...sender, lt: BigInt(mc) * 1_000_000n + 10n, mc_seqno: mc }))
      const places = senders.map(({ lt, mc_seqno }) => ({ account: account(BUSY), lt, mc_seqno, mcSeqno: mc_seqno }))
      const sent = senders.map(({ lt, mc_seqno: mc }) => ({
        source: account(BUSY),
        createdLt: lt + 1n,
        mcSeqno: mc + 1,
      }))
      const pageOfKey = (by: 'source' | 'destination') => (key: Uint8Array) =>
        messagesPageQuery(searchOf({ [by]: key, excludeExternals: true }, walked(by)), first)!
      const anyTime = { fromTime: 0, toTime: later }
      const questions: readonly (readonly [name: string, most: number, query: CompiledQuery<unknown>])[] = [
        [
          'pages of accounts',
          60,
          accountPagesQuery(
            accounts.map((each) => ({ account: each, lt: { from: 0n, to: middle }, ...anyTime })),
            'desc',
            11,
          ),
        ],
        ['pages of blocks', 90, blockPagesQuery(seqnos, 'desc', 11)],
        ['what was sent last', 80, manyKeysQuery(pageOfKey('source'))(accounts)],
        ['what was received last', 80, manyKeysQuery(pageOfKey('destination'))(accounts)],
        ['what was sent', 40, sentMessagesQuery(senders, 256)],
        [
          'what was sent within a long trace',
          110,
          sentInTracesQuery(senders.map((each) => traceSender(each, partitions))),
        ],
        ['who sent it', 20, sendersQuery(sent, 256)],
        ['by key', 4, transactionsByKeyQuery(places)],
        ['of events', 4, eventTransactionsQuery(places)],
        ['what others want to know', 30, relatedQuery(hashes)],
        [
          'the ones before',
          4,
          previousQuery(
            places.map((place, k) => ({
              ...place,
              hash: hashes[k]!,
              firstSeqno: place.mcSeqno - (place.mcSeqno % WIDTH),
              lastSeqno: place.mcSeqno,
            })),
          ),
        ],
        [
          'the next ones of accounts',
          20 * 6,
          accountStepsQuery(
            accounts.map((each) => ({ account: each, lt: { from: 0n, to: middle } })),
            'desc',
            20,
          ),
        ],
        ['first ones of long traces', 110, rootsQuery(hashes.map((traceId) => ({ traceId, partitions })))],
        ['by messages that were received', 10, namedMessagesQuery(received)],
        ['contents', 4, contentsInPartitionsQuery(seqnos.map((mc) => ({ hash: body, start: mc - (mc % WIDTH) })))],
        ['contents of one partition', 4, contentsInPartitionQuery(hashes, 500)],
        ['logical times', 40, ltWindowsQuery(seqnos.map((mc) => [START + 5 * mc, START + 5 * mc + 60]))],
      ]
      for (const [name, most, query] of questions) {
        const read = await countRead(database, query)
        t.diagnostic(`${name} of ${count}: ${read} rows`)
        assert.ok(read <= most * count, `${name} of ${count} read ${read} rows`)
      }
    }
  })

  await t.test('contents are looked for in their own partition alone', async () => {
    const hash = await digest('body -1')
    for (const query of [contentsInPartitionsQuery([{ hash, start: 500 }]), contentsInPartitionQuery([hash], 500)]) {
      const plan = await database.transaction(async (client) => {
        const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF) ${query.sql}`, [...query.parameters])
        return rows.map((row: Record<string, string>) => row['QUERY PLAN']!)
      })
      const visited = plan.filter(
        (line) => /Scan.* on message_contents_p/.test(line) && !line.includes('never executed'),
      )
      assert.equal(visited.length, 1, plan.join('\n'))
      assert.match(visited[0]!, /Scan.* on message_contents_p500/)
      assert.match(plan.join('\n'), /message_contents_p500_substring_idx/)
    }
  })

  const nothing = async (): Promise<void> => undefined
  const scan = async <Row>(list: (page: Page) => Promise<Paged<Row>>, limit: number, most: number): Promise<Row[]> => {
    const found: Row[] = []
    let after: Cursor | undefined
    do {
      const { rows, next } = await list({ limit, offset: 0, after })
      found.push(...rows)
      after = next
    } while (after !== undefined && found.length < most)
    return found
  }
  const rowsOf = (sql: string): Promise<{ readonly hash: Buffer }[]> =>
    database.transaction(async (client) => (await client.query(sql)).rows as { hash: Buffer }[])
  const hexOf = (rows: readonly { readonly hash: Uint8Array }[]): string[] =>
    rows.map(({ hash }) => Buffer.from(hash).toString('hex'))

  await t.test('pages at an offset, also among equal logical times', async () => {
    // Twice as many at one logical time as are looked at first.
    const ties = Array.from({ length: 70 }, (_, k) => account(5000 + k))
    await database.transaction(async (client) => {
      await client.query(
        `INSERT INTO transactions (lt, prev_lt, block_shard, now, mc_seqno, block_seqno, orig_status, end_status, in_bits, out_count,
           account, hash, state_after, description, trace_id)
         SELECT ${middle + 5n}, 0, ${SHARD}, ${later}, 1500, 1500, 2, 2, 0, 0, a, sha256(a), '', '', '' FROM unnest($1::bytea[]) AS a`,
        [ties.map((each) => Buffer.from(each))],
      )
    })
    const list = (filter: TransactionFilter, offset: number) =>
      listTransactions(server.listReads, filter, { limit: 7, offset, after: undefined })
    for (const direction of ['asc', 'desc'] as const) {
      const expected = await rowsOf(`SELECT hash FROM transactions ORDER BY lt ${direction}, account`)
      const own = await rowsOf(
        `SELECT hash FROM transactions WHERE account = ${keyOf(String(BUSY))} ORDER BY lt ${direction}`,
      )
      const tied = expected.findIndex(({ hash }) => ties.some((each) => hexOf([{ hash }])[0] === digestOf(each)))
      const offsets = [
        1,
        31,
        32,
        33,
        300,
        tied - 1,
        tied,
        tied + 1,
        tied + 33,
        tied + 69,
        tied + 70,
        expected.length - 3,
      ]
      for (const offset of [...offsets, expected.length, expected.length + 5]) {
        const [page, ofOne] = [
          await list({ ...newest, direction }, offset),
          await list({ ...newest, direction, accounts: [account(BUSY)] }, offset),
        ]
        assert.deepEqual(hexOf(page.rows), hexOf(expected.slice(offset, offset + 7)), `${direction} ${offset}`)
        assert.deepEqual(hexOf(ofOne.rows), hexOf(own.slice(offset, offset + 7)), `${direction} ${offset} of one`)
        assert.equal(page.next === undefined, offset + 7 >= expected.length)
      }
    }
    await database.transaction((client) => client.query('DELETE FROM transactions WHERE lt = $1', [middle + 5n]))
  })

  await t.test('many accounts with long histories', async () => {
    const filter = { ...newest, accounts: many }
    const found = await scan((page) => listTransactions(server.listReads, filter, page), 1000, 3000)
    const expected = await rowsOf('SELECT hash FROM transactions ORDER BY lt DESC, account LIMIT 3000')
    assert.deepEqual(hexOf(found), hexOf(expected))
    const upwards = { ...filter, direction: 'asc', time: { from: later } } as const
    const byTime = await scan((page) => listTransactions(server.listReads, upwards, page), 700, 2000)
    const timely = await rowsOf(
      `SELECT hash FROM transactions WHERE now >= ${later} ORDER BY now, lt, account LIMIT 2100`,
    )
    assert.deepEqual(hexOf(byTime), hexOf(timely))
  })

  const inside = `SELECT in_hash AS hash, in_created_lt AS made, in_created_at AS at, account AS destination, in_source AS source,
      in_opcode AS opcode, in_body_hash AS body FROM transactions WHERE in_hash IS NOT NULL
    UNION ALL SELECT hash, created_lt, created_at, destination, account, opcode, body_hash FROM unreceived_messages`
  const busy = keyOf(String(BUSY))
  const bodyHash = body

  await t.test('messages by what leads to them, whole lists in both directions', async () => {
    const lists: readonly (readonly [Partial<MessageFilter>, string])[] = [
      [{ destination: account(BUSY) }, `destination = ${busy}`],
      [{ destination: account(12) }, `destination = ${keyOf('12')}`],
      [{ source: account(BUSY) }, `source = ${busy}`],
      [{ bodyHash }, `body = ${hashOf("'body -1'")}`],
      [{ bodyHash: 'empty' }, 'body IS NULL'],
      [{ opcode: COMMON }, `opcode = ${COMMON}`],
      [{ opcode: RARE, destination: account(BUSY) }, `opcode = ${RARE} AND destination = ${busy}`],
      [{ opcode: COMMON, destination: account(BUSY) }, `opcode = ${COMMON} AND destination = ${busy}`],
      // Logs, too, and external-in messages.
      [{ opcode: COMMON, source: account(12) }, `opcode = ${COMMON} AND source = ${keyOf('12')}`],
      [{ opcode: COMMON, destination: account(12) }, `opcode = ${COMMON} AND destination = ${keyOf('12')}`],
      [{ source: account(BUSY), destination: account(BUSY) }, `source = ${busy} AND destination = ${busy}`],
      [
        { source: account(BUSY), opcode: COMMON, time: { to: later } },
        `source = ${busy} AND opcode = ${COMMON} AND at <= ${later}`,
      ],
      [
        { source: account(BUSY), destination: account(BUSY), opcode: COMMON },
        `source = ${busy} AND destination = ${busy} AND opcode = ${COMMON}`,
      ],
      [{ destination: account(BUSY), time: { from: later } }, `destination = ${busy} AND at >= ${later}`],
      [{ source: account(BUSY), time: { to: later } }, `source = ${busy} AND at <= ${later}`],
      [
        { bodyHash, time: { from: later, to: later + 300 } },
        `body = ${hashOf("'body -1'")} AND at BETWEEN ${later} AND ${later + 300}`,
      ],
    ]
    for (const [filter, where] of lists) {
      for (const direction of ['asc', 'desc'] as const) {
        const asked = { ...anyMessages, ...filter, direction }
        const found = await scan((page) => listMessages(server, asked, page, nothing), 400, 1600)
        const by = filter.time === undefined ? 'made' : 'at'
        const expected = await rowsOf(
          `SELECT hash FROM (${inside}) AS m WHERE ${where} ORDER BY ${by} ${direction}, hash ${direction} LIMIT ${found.length + 1}`,
        )
        assert.ok(found.length > 0 || expected.length === 0, where)
        assert.deepEqual(
          hexOf(found.map(({ message }) => message)),
          hexOf(expected.slice(0, 1600)),
          `${where} ${direction}`,
        )
      }
    }
  })

  await t.test('transactions by message, whole lists in both directions', async () => {
    // Every transaction sends one message, at the next logical time.
    await rowsOf(`CREATE TABLE sent_messages AS SELECT s.hash, s.lt, s.account, m.body, m.source, m.destination
      FROM (${inside}) AS m JOIN transactions AS s ON s.account = m.source AND s.lt = m.made - 1`)
    await rowsOf(`CREATE TABLE got_messages AS SELECT t.hash, t.lt, t.account, t.in_body_hash AS body, t.in_source AS source,
      t.account AS destination, t.in_opcode AS opcode FROM transactions AS t WHERE t.in_hash IS NOT NULL`)
    const lists: readonly (readonly [Partial<TransactionsByMessageFilter>, string])[] = [
      [{ bodyHash }, `body = ${hashOf("'body -1'")}`],
      [{ bodyHash: 'empty' }, 'body IS NULL'],
      [{ bodyHash, destination: account(BUSY) }, `body = ${hashOf("'body -1'")} AND destination = ${busy}`],
      [{ bodyHash, source: account(12) }, `body = ${hashOf("'body -1'")} AND source = ${keyOf('12')}`],
      [{ opcode: COMMON }, `opcode = ${COMMON}`],
      [{ opcode: RARE, destination: account(BUSY) }, `opcode = ${RARE} AND destination = ${busy}`],
      [{ opcode: COMMON, destination: account(BUSY) }, `opcode = ${COMMON} AND destination = ${busy}`],
      [{ opcode: COMMON, destination: account(12) }, `opcode = ${COMMON} AND destination = ${keyOf('12')}`],
      [{ opcode: COMMON, source: account(12) }, `opcode = ${COMMON} AND source = ${keyOf('12')}`],
      [
        { opcode: COMMON, source: account(BUSY), destination: account(12) },
        `opcode = ${COMMON} AND source = ${busy} AND destination = ${keyOf('12')}`,
      ],
    ]
    for (const [filter, where] of lists) {
      for (const direction of ['asc', 'desc'] as const) {
        for (const side of ['in', 'out', undefined] as const) {
          if (filter.opcode !== undefined && side !== 'in') continue
          const asked = { ...filter, side, direction }
          const found = await scan((page) => listTransactionsByMessage(server, asked, page).then(withHashes), 150, 450)
          const received = `SELECT hash, lt, account FROM got_messages WHERE ${where}`
          const ends = [
            ...(side === 'out' ? [] : [received]),
            ...(side === 'in' ? [] : [`SELECT hash, lt, account FROM sent_messages WHERE ${where}`]),
          ]
          const expected = await rowsOf(
            `SELECT hash FROM (${ends.join(' UNION ')}) AS e ORDER BY lt ${direction}, account LIMIT ${found.length + 1}`,
          )
          assert.ok(found.length > 0 || expected.length === 0, where)
          assert.deepEqual(hexOf(found), hexOf(expected.slice(0, 450)), `${where} ${direction} ${side}`)
        }
      }
    }
  })

  await t.test('transactions of a workchain and of a shard, whole lists in both directions', async () => {
    const lists: readonly (readonly [Partial<TransactionFilter>, string])[] = [
      [{ workchain: 0 }, 'true'],
      [
        { workchain: 0, startLt: middle, endLt: middle + 20_000_000n },
        `lt BETWEEN ${middle} AND ${middle + 20_000_000n}`,
      ],
      [{ shard: 1n << 63n }, 'true'],
      [{ shard: 1n << 63n, startLt: middle + 100n }, `lt >= ${middle + 100n}`],
      [{ workchain: 0, shard: 1n << 63n, time: { from: later } }, `now >= ${later}`],
      [{ shard: 1n << 63n, time: { to: later } }, `now <= ${later}`],
      [{ workchain: 0, time: { to: later } }, `now <= ${later}`],
      [{ workchain: 0, excludedAccounts: [account(BUSY)] }, `account <> ${busy}`],
      [{ accounts: [account(BUSY), account(12)], shard: 1n << 63n }, `account IN (${busy}, ${keyOf('12')})`],
      [{ workchain: -1 }, 'false'],
      [{ workchain: 700 }, 'false'],
      [{ shard: 0x1230_0000_0000_0000n }, 'false'],
      [{ accounts: [account(BUSY)], shard: 0x1230_0000_0000_0000n }, 'false'],
    ]
    for (const [filter, where] of lists) {
      for (const direction of ['asc', 'desc'] as const) {
        const asked = { ...newest, ...filter, direction }
        const found = await scan((page) => listTransactions(server.listReads, asked, page), 300, 900)
        const by = filter.time === undefined ? '' : `now ${direction}, `
        const expected = await rowsOf(
          `SELECT hash FROM transactions WHERE ${where} ORDER BY ${by}lt ${direction}, account LIMIT ${found.length + 1}`,
        )
        assert.deepEqual(hexOf(found), hexOf(expected.slice(0, 900)), `${where} ${direction}`)
        assert.ok(found.length === 900 || expected.length === found.length, where)
      }
    }
  })

  await t.test('in the order of times', async () => {
    const filter = { ...anyMessages, time: { from: later }, direction: 'asc' } as const
    const found = await scan((page) => listMessages(server, filter, page, nothing), 150, 600)
    const expected = await rowsOf(`SELECT hash FROM (
        SELECT in_hash AS hash, in_created_at AS at FROM transactions WHERE in_created_at >= ${later}
        UNION ALL SELECT hash, created_at FROM unreceived_messages WHERE created_at >= ${later}
      ) AS m ORDER BY at, hash LIMIT 600`)
    assert.deepEqual(hexOf(found.map(({ message }) => message)), hexOf(expected))
  })

  await t.test('every refusal that is listed comes, and none of a single filter', async (t) => {
    const [newestAccount, halfShard] = [9999, 1n << 62n]
    await rowsOf(`INSERT INTO transactions (lt, prev_lt, block_shard, now, mc_seqno, block_seqno, orig_status, end_status, in_bits, out_count,
        account, hash, state_after, description, trace_id)
      SELECT ${BLOCK_SETS}000500 + k, 0, ${SHARD}, ${START + 5 * BLOCK_SETS}, ${BLOCK_SETS}, ${BLOCK_SETS}, 2, 2, 0, 0,
        ${keyOf(String(newestAccount))}, ${hashOf("'newest ' || k")}, '', '', '' FROM generate_series(1, 2100) AS k`)
    // Another shard was there all the time.
    await rowsOf(`INSERT INTO blocks SELECT (b).* FROM (
        SELECT jsonb_populate_record(b, '{"shard": ${halfShard}, "seqno": 1000000, "tx_count": 1}') AS b
        FROM blocks AS b WHERE workchain = 0 AND mc_seqno IN (1, ${BLOCK_SETS})
      ) AS moved`)
    const rawAddress = (number: number): string => `0:${number.toString(16).padStart(64, '0')}`
    await checkCostlyFilters(t, database, {
      busy: rawAddress(BUSY),
      shard: halfShard.toString(16),
      newest: rawAddress(newestAccount),
      body: digestOf(Buffer.from('body -1')),
      messages: Array.from({ length: 100 }, (_, k) => digestOf(Buffer.from(`norm ${k}`))),
    })
  })
})

const withHashes = <Row extends { readonly hash: Uint8Array }>({ rows, next }: Paged<Row>): Paged<Row> => ({
  rows,
  next,
})
