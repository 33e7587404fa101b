import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../src/store/connect/Database.ts'
import { BusyPayers } from '../support/busyNetwork.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { openEmbeddedChain } from '../support/indexedNetwork.ts'
import { type OtherTransaction, readOtherTransactions } from '../support/otherReader.ts'
import { buildOtherTraces, type OtherTrace } from '../support/otherTraces.ts'
import { isLong } from '../support/testLength.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
const upper = (account: string): string => account.toUpperCase()

/** A finished trace as the blocks have it. */
type Expected = {
  readonly id: string
  readonly hex: string
  readonly transactions: readonly OtherTransaction[]
  readonly endLt: bigint
  readonly endUtime: number
  readonly accounts: ReadonlySet<string>
}

const toExpected = ({ id, transactions }: OtherTrace): Expected => ({
  id: base64(id),
  hex: id,
  transactions: [...transactions].sort((a, b) =>
    a.lt === b.lt ? (a.account < b.account ? -1 : 1) : a.lt < b.lt ? -1 : 1,
  ),
  endLt: transactions.reduce((most, { lt }) => (lt > most ? lt : most), 0n),
  endUtime: Math.max(...transactions.map(({ now }) => now)),
  accounts: new Set(transactions.map(({ account }) => upper(account))),
})

type Tree = { tx_hash: string; in_msg_hash?: string; children: Tree[] }

/** From the top, by who received what was sent: the other way round than the interface makes it. */
const growTree = (root: OtherTransaction, members: readonly OtherTransaction[]): Tree => ({
  tx_hash: base64(root.hash),
  ...(root.inMessage !== undefined && { in_msg_hash: base64(root.inMessage.hash) }),
  children: members
    .filter(
      ({ inMessage }) => inMessage?.kind === 'internal' && root.outMessages.some(({ hash }) => hash === inMessage.hash),
    )
    .map((child) => growTree(child, members)),
})

const compare = (a: bigint | number | string, b: bigint | number | string): number => (a < b ? -1 : a > b ? 1 : 0)
const byLt = (a: Expected, b: Expected): number => compare(a.endLt, b.endLt) || compare(a.hex, b.hex)
const byTime = (a: Expected, b: Expected): number => compare(a.endUtime, b.endUtime) || compare(a.hex, b.hex)
const bare = { x_no_address_book: true, x_no_metadata: true }
const idsOf = (traces: readonly { readonly id: string }[]): string[] => traces.map(({ id }) => id)
const shownIds = (body: Json, key = 'traces'): string[] => body[key].map((trace: Json) => trace.trace_id)

describe('v3 traces', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let payers: BusyPayers
  let endings: (() => unknown)[] = []
  /** In the order of their ends. */
  let expected: Expected[] = []
  let all: OtherTransaction[] = []
  let open: OtherTrace[] = []

  const ask = (args: object): Promise<Json> => askBothWays(service.url, 'traces', { ...args })
  /** In one dialect, and without what stands beside. */
  const listIds = async (args: object): Promise<string[]> => {
    const { status, body } = await getV3(`${service.url}/api/v3`, 'traces', { ...args, ...bare, limit: 1000 })
    assert.equal(status, 200, JSON.stringify(body))
    return shownIds(body)
  }
  const refuse = (args: object, status: number, text: string | RegExp, name = 'traces'): Promise<void> =>
    assertV3Refused(service.url, name, { ...args }, status, text)
  const rowsOf = (sql: string): Promise<Json[]> =>
    database.transaction(async (client) => (await client.query(sql)).rows as Json[])

  const mineWhile = async (work: Promise<unknown>): Promise<void> => {
    let isDone = false
    const finished = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      await service.network.controls.mine(1)
      await delay(5)
    }
    await finished
  }

  const readChain = async (): Promise<void> => {
    const { blockSets } = await openEmbeddedChain({ after: (ending) => void endings.push(ending) }, service.network)
    const { signal } = new AbortController()
    all = []
    for (let seqno = 1; seqno <= service.network.controls.getStatus().head.seqno; seqno++) {
      const { masterchain, shards } = await blockSets.fetchBlockSet(seqno, signal)
      for (const { id, bytes } of [masterchain, ...shards]) all.push(...readOtherTransactions(bytes, id.workchain))
    }
    const traces = buildOtherTraces(all)
    expected = traces
      .filter(({ isComplete }) => isComplete)
      .map(toExpected)
      .sort(byLt)
    open = traces.filter(({ isComplete }) => !isComplete)
  }

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
    database = await openFreshDatabase(cleanup as unknown as TestContext)
    service = await startV3Network(cleanup, database, { network: { shards: 4 } })
    const { controls } = service.network
    payers = new BusyPayers(service.network, { payers: 6, seed: 5 })
    endings.push(() => payers.close())
    await mineWhile(payers.fund())
    for (let round = 0; round < 6; round++) {
      await payers.send(4)
      // Every other round its messages are under way for long: by blocks, and twice by the clock as well.
      if (round % 2 === 1) {
        await controls.mine(1)
        await controls.disturb({ kind: 'holdInternal', blocks: 2 })
        if (round > 2) await controls.moveClock(150)
      }
      await controls.mine(6)
    }
    // The last ones are not done.
    await payers.send(3)
    await controls.disturb({ kind: 'holdInternal', blocks: 1000 })
    await controls.mine(2)
    await service.catchUp()
    await readChain()
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
    endings = []
  })

  test('all traces of the chain, with their trees', async () => {
    const body = await ask({ limit: 1000 })
    assert.deepEqual(shownIds(body), idsOf([...expected].reverse()))
    assert.deepEqual(shownIds(await ask({ limit: 1000, sort: 'asc' })), idsOf(expected))
    assert.ok(expected.length > 40 && expected.some(({ transactions }) => transactions.length > 4))
    const seqnos = new Map(
      (await rowsOf('SELECT hash, mc_seqno FROM transactions')).map((row) => [
        row.hash.toString('base64'),
        row.mc_seqno,
      ]),
    )
    for (const trace of body.traces) {
      const { transactions, endLt, endUtime, hex } = expected.find(({ id }) => id === trace.trace_id)!
      const root = transactions.find(({ hash }) => hash === hex)!
      const hashes = transactions.map(({ hash }) => base64(hash))
      const blocks = hashes.map((hash) => seqnos.get(hash)!)
      const { trace: tree, transactions: shown, transactions_order, trace_info, ...rest } = trace
      assert.deepEqual(rest, {
        trace_id: trace.trace_id,
        external_hash: root.inMessage === undefined ? null : base64(root.inMessage.hash),
        mc_seqno_start: String(Math.min(...blocks)),
        mc_seqno_end: String(Math.max(...blocks)),
        start_lt: String(root.lt),
        start_utime: root.now,
        end_lt: String(endLt),
        end_utime: endUtime,
        is_incomplete: false,
      })
      assert.deepEqual(trace_info, {
        trace_state: 'complete',
        messages:
          transactions.reduce((sum, { outMessages }) => sum + outMessages.length, 0) +
          (root.inMessage === undefined ? 0 : 1),
        transactions: transactions.length,
        pending_messages: 0,
        classification_state: 'unclassified',
      })
      assert.deepEqual(transactions_order, hashes)
      assert.deepEqual(Object.keys(shown).sort(), [...hashes].sort())
      for (const hash of hashes) assert.deepEqual([shown[hash].hash, shown[hash].trace_id], [hash, trace.trace_id])
      assert.deepEqual(tree, growTree(root, transactions))
    }
    const book = new Set(Object.keys(body.address_book))
    for (const { accounts } of expected) for (const account of accounts) assert.ok(book.has(account), account)
    assert.deepEqual(service.logLines, [])
  })

  test('a trace is not here before all its messages have arrived, though its transactions are', async () => {
    assert.ok(open.length > 0)
    for (const { id, transactions } of open) {
      const [known] = await rowsOf(`SELECT count(*)::int AS count FROM transactions WHERE trace_id = '\\x${id}'`)
      assert.equal(known.count, transactions.length)
      const external = transactions.find(({ hash }) => hash === id)!.inMessage!
      const questions = [
        { trace_id: base64(id) },
        { tx_hash: transactions.map(({ hash }) => base64(hash)) },
        { msg_hash: base64(external.hash) },
      ]
      for (const question of questions) assert.deepEqual((await ask(question)).traces, [])
    }
    assert.ok((await rowsOf('SELECT 1 FROM long_traces')).length > 0, 'some are long')
    const [{ count }] = await rowsOf('SELECT count(*)::int AS count FROM traces')
    assert.equal(count, expected.length)
  })

  test('traces of an account, in the order of their ends', async () => {
    const counts = new Map<string, number>()
    for (const { accounts } of expected) for (const each of accounts) counts.set(each, (counts.get(each) ?? 0) + 1)
    const busiest = [...counts]
      .filter(([account]) => account.startsWith('0:'))
      .sort((a, b) => b[1] - a[1])
      .slice(0, isLong ? 3 : 1)
    assert.ok(busiest[0]![1] > 5, 'somebody is busy')
    for (const [account] of busiest) {
      const own = expected.filter(({ accounts }) => accounts.has(account))
      assert.deepEqual(shownIds(await ask({ account, limit: 3 })), idsOf(own.slice(-3).reverse()))
      assert.deepEqual(await listIds({ account }), idsOf([...own].reverse()))
      assert.deepEqual(await listIds({ account, limit: 1000, sort: 'asc' }), idsOf(own))
      const { endLt: from } = own[Math.floor(own.length / 4)]!
      const { endLt: to } = own[Math.floor((3 * own.length) / 4)]!
      const inside = own.filter(({ endLt }) => endLt >= from && endLt <= to)
      assert.deepEqual(
        await listIds({ account, start_lt: String(from), end_lt: String(to), limit: 1000, sort: 'asc' }),
        idsOf(inside),
      )
      const times = [...own].sort(byTime)
      const start = times[Math.floor(own.length / 4)]!.endUtime
      const end = times[Math.floor((3 * own.length) / 4)]!.endUtime
      const within = times.filter(({ endUtime }) => endUtime >= start && endUtime <= end)
      const window = { account, start_utime: start, end_utime: end }
      assert.deepEqual(await listIds(window), idsOf([...within].reverse()))
      assert.deepEqual(await listIds({ ...window, sort: 'asc' }), idsOf(within))
      assert.deepEqual(
        await listIds({ account, start_utime: start, end_lt: String(to), sort: 'asc' }),
        idsOf(times.filter(({ endUtime, endLt }) => endUtime >= start && endLt <= to)),
      )
      for (const sort of ['asc', 'desc']) {
        await checkPages({ account, sort }, 4)
        await checkPages({ account, sort, start_utime: 1 }, 5)
      }
      const [{ mc_seqno }] = await rowsOf(`SELECT mc_seqno FROM traces WHERE trace_id = '\\x${own.at(-1)!.hex}'`)
      const ended = await rowsOf(`SELECT encode(trace_id, 'hex') AS id FROM traces WHERE mc_seqno = ${mc_seqno}`)
      const there = new Set(ended.map(({ id }) => id))
      assert.deepEqual(await listIds({ account, mc_seqno }), idsOf(own.filter(({ hex }) => there.has(hex)).reverse()))
    }
    assert.deepEqual((await ask({ account: `0:${'AB'.repeat(32)}` })).traces, [])
  })

  /** Pages by place and by number are the pieces of the whole. */
  const checkPages = async (args: object, limit: number): Promise<void> => {
    const whole = await listIds(args)
    const byCursor: string[] = []
    const byOffset: string[] = []
    let cursor: string | undefined
    do {
      const { body, headers } = await getV3(`${service.url}/api/v3`, 'traces', { ...args, ...bare, limit, cursor })
      byCursor.push(...shownIds(body))
      const numbered = await getV3(`${service.url}/api/v3`, 'traces', {
        ...args,
        ...bare,
        limit,
        offset: byOffset.length,
      })
      byOffset.push(...shownIds(numbered.body))
      cursor = headers.get('x-next-cursor') ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(byCursor, whole, JSON.stringify(args))
    assert.deepEqual(byOffset, whole, JSON.stringify(args))
  }

  test('pages of all traces', async () => {
    for (const sort of ['asc', 'desc']) {
      await checkPages({ sort }, 60)
      await checkPages({ sort, end_utime: 4_000_000_000 }, 70)
    }
    assert.equal((await ask({})).traces.length, 10)
  })

  test('traces by what is in them', async () => {
    const some = expected.filter((_, k) => k % 7 === 0)
    const inOrder = idsOf([...some].reverse())
    assert.deepEqual(shownIds(await ask({ trace_id: idsOf(some), limit: 1000 })), inOrder)
    assert.deepEqual(
      shownIds(await ask({ trace_id: some.map(({ hex }) => `0x${hex}`).join(','), limit: 1000 })),
      inOrder,
    )
    const last = some.map(({ transactions }) => transactions.at(-1)!)
    assert.deepEqual(shownIds(await ask({ tx_hash: last.map(({ hash }) => hash), limit: 1000 })), inOrder)
    const received = last.flatMap(({ inMessage }) => (inMessage === undefined ? [] : [inMessage.hash]))
    const withMessages = some.filter(({ transactions }) => transactions.at(-1)!.inMessage !== undefined)
    assert.deepEqual(shownIds(await ask({ msg_hash: received, limit: 1000 })), idsOf([...withMessages].reverse()))
    const [norm] = await rowsOf(
      'SELECT in_hash_norm AS hash, trace_id FROM transactions WHERE in_hash_norm IS NOT NULL AND trace_id IN (SELECT trace_id FROM traces) LIMIT 1',
    )
    assert.deepEqual(shownIds(await ask({ msg_hash: norm.hash.toString('base64') })), [
      norm.trace_id.toString('base64'),
    ])
    assert.deepEqual((await ask({ trace_id: base64('00'.repeat(32)) })).traces, [])
    assert.deepEqual((await ask({ msg_hash: base64('00'.repeat(32)) })).traces, [])
    assert.deepEqual((await ask({ tx_hash: base64('00'.repeat(32)) })).traces, [])
    assert.deepEqual(await ask({ tx_hash: base64('00'.repeat(32)) }), { traces: [], address_book: {}, metadata: {} })
    const blocks = await rowsOf(
      `SELECT mc_seqno, count(*)::int AS count FROM traces GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
    )
    for (const { mc_seqno, count } of blocks) {
      const { traces } = await ask({ mc_seqno, limit: 1000 })
      assert.equal(traces.length, count)
      for (const trace of traces) assert.equal(trace.mc_seqno_end, String(mc_seqno))
    }
    const middle = expected[Math.floor(expected.length / 2)]!
    const inside = expected.filter(({ endLt }) => endLt <= middle.endLt).reverse()
    assert.deepEqual(shownIds(await ask({ end_lt: String(middle.endLt), limit: 1000 })), idsOf(inside))
    assert.deepEqual(
      shownIds(await ask({ end_lt: String(2n ** 64n - 1n), limit: 1000 })),
      idsOf([...expected].reverse()),
    )
    const timed = expected.filter(({ endUtime }) => endUtime >= middle.endUtime).sort(byTime)
    assert.deepEqual(shownIds(await ask({ start_utime: middle.endUtime, sort: 'asc', limit: 1000 })), idsOf(timed))
  })

  test('with actions, by the old name, and without what stands beside', async () => {
    const [first] = expected
    assert.equal('actions' in (await ask({ trace_id: first!.id })).traces[0], false)
    const old = await askBothWays(service.url, 'events', { limit: 3, supported_action_types: ['v1', 'nft'] })
    const { traces } = await ask({ limit: 3, include_actions: true, supported_action_types: ['v1', 'nft'] })
    assert.deepEqual(old.events, traces)
    for (const { trace_id, actions } of traces) {
      for (const action of actions) assert.equal(action.trace_id, trace_id, 'an action is of another trace')
    }
    assert.deepEqual(shownIds(old, 'events'), idsOf(expected.slice(-3).reverse()))
    const bare = await ask({ limit: 3, x_no_address_book: true, x_no_metadata: 1 })
    assert.deepEqual([bare.address_book, bare.metadata], [{}, {}])
    assert.equal(bare.traces.length, 3)
  })

  test('what is too large is told and not shown; what is missing is told', async () => {
    const large = expected.find(({ transactions }) => transactions.length > 3)!
    await rowsOf(`UPDATE traces SET transactions = 4001 WHERE trace_id = '\\x${large.hex}'`)
    const [cut] = (await ask({ trace_id: large.id, include_actions: true })).traces
    assert.deepEqual(
      [cut.is_incomplete, cut.warning, cut.external_hash],
      [true, 'trace is too large', base64(large.transactions[0]!.inMessage!.hash)],
    )
    for (const member of ['trace', 'transactions', 'transactions_order', 'actions']) assert.equal(member in cut, false)
    await rowsOf(`UPDATE traces SET transactions = 4000 WHERE trace_id = '\\x${large.hex}'`)
    assert.equal((await ask({ trace_id: large.id })).traces[0].is_incomplete, false)
    await rowsOf(`UPDATE traces SET transactions = 2000000 WHERE trace_id = '\\x${large.hex}'`)
    // Transactions that are not kept any more.
    const torn = expected.find(
      ({ transactions, hex }) =>
        hex !== large.hex && transactions.length > 2 && growTree(transactions[0]!, transactions).children.length > 1,
    )!
    await rowsOf(`DELETE FROM transactions WHERE hash = '\\x${torn.hex}'`)
    const [rest] = (await ask({ trace_id: torn.id })).traces
    assert.equal(rest.warning, 'missing node in trace found')
    assert.equal(rest.external_hash, null)
    assert.equal(rest.transactions_order.length, torn.transactions.length - 1)
    await rowsOf(`UPDATE traces SET transactions = 4000`)
    // Of what an answer has no room for, the first are whole.
    const page = (await ask({ limit: 1000 })).traces
    assert.ok(page.length > 8)
    const wholes = page.filter((trace: { is_incomplete: boolean }) => !trace.is_incomplete)
    assert.deepEqual(wholes, page.slice(0, 7))
    assert.equal(page[7].warning, 'trace is too large')
    assert.equal(page[7].external_hash !== undefined, true)
    // Likewise of messages.
    await rowsOf(`UPDATE traces SET transactions = 1000, messages = 20000`)
    const isWhole = (await ask({ limit: 11 })).traces.map((trace: Json) => !trace.is_incomplete)
    assert.deepEqual(
      isWhole,
      isWhole.map((_: boolean, k: number) => k < 9),
    )
  })

  test('what is not served', async () => {
    const [{ id, accounts }] = expected as [Expected]
    const [account] = accounts
    const only = 'only one of account, trace_id, tx_hash, msg_hash should be specified'
    await refuse({ account, trace_id: id }, 422, only)
    await refuse({ tx_hash: id, msg_hash: id }, 422, only)
    await refuse({ account: 'nobody' }, 422, 'failed to decode: schema: error converting value for "account"')
    await refuse({ account: '' }, 422, 'failed to decode: schema: error converting value for "account"')
    await refuse(
      { trace_id: [id, 'x'] },
      422,
      'failed to decode: schema: error converting value for index 1 of "trace_id"',
    )
    await refuse({ msg_hash: 'x' }, 422, 'failed to decode: schema: error converting value for index 0 of "msg_hash"')
    await refuse(
      { include_actions: 'perhaps' },
      422,
      'failed to decode: schema: error converting value for "include_actions"',
    )
    await refuse({ mc_seqno: 'x' }, 422, 'failed to decode: schema: error converting value for "mc_seqno"')
    await refuse({ start_utime: '' }, 422, 'failed to decode: schema: error converting value for "start_utime"')
    await refuse({ start_lt: -1 }, 422, 'failed to decode: schema: error converting value for "start_lt"')
    await refuse({ sort: 'up' }, 422, 'wrong value for sort parameter')
    await refuse({ limit: 1001 }, 422, 'limit is not allowed: 1001 > 1000')
    await refuse({ mc_seqno: 99_999_999 }, 404, 'masterchain block 99999999 not found')
    await refuse({ mc_seqno: 99_999_999, account }, 404, 'masterchain block 99999999 not found')
    await refuse({ trace_id: Array.from({ length: 1001 }, () => id) }, 422, /^maximum 1000 values allowed/)
    const { headers } = await getV3(`${service.url}/api/v3`, 'traces', {
      limit: 2,
      account: [...expected]
        .sort((a, b) => b.accounts.size - a.accounts.size)[0]!
        .accounts.values()
        .next().value,
    })
    const cursor = headers.get('x-next-cursor')
    if (cursor !== null) await refuse({ account, cursor, sort: 'asc' }, 422, /^The cursor belongs to another query/)
    assert.deepEqual(service.logLines, [])
  })
})
