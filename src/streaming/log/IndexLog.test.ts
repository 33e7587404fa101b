import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { startPendingNetwork } from '../../../test/support/pendingNetwork.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { createLogger } from '../../observe/Logger.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { type BlockEvents, ChainSetBackError, type StreamEvent, type TraceEvent } from '../events.ts'
import { comparePositions, positionOf } from './eventIds.ts'
import { IndexLog, type IndexLogOptions } from './IndexLog.ts'

const query = <Row>(database: Database, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  database.transaction(async (client) => (await client.query(text, [...values])).rows as Row[])

const openLog = (
  t: { after(work: () => Promise<void>): void },
  database: Database,
  options: Partial<IndexLogOptions> = {},
): IndexLog & { readonly lines: string[] } => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', format: 'json', colours: false, write: (line) => void lines.push(line) })
  const log = new IndexLog({ database, logger, ...options })
  t.after(() => log.close())
  return Object.assign(log, { lines })
}

const isTrace = (event: StreamEvent): event is TraceEvent => 'trace' in event

const tracesIn = ({ events }: BlockEvents): TraceEvent[] =>
  events.filter((event) => isTrace(event)).filter(({ kind }) => kind === 'tr')

const hashesOf = (transactions: readonly { readonly hash: Uint8Array }[]): string[] =>
  transactions.map(({ hash }) => toHex(hash)).sort()

/** Checks a block of the log against the rows of the index. */
const checkBlock = async (database: Database, block: BlockEvents): Promise<void> => {
  const { mcSeqno, events } = block
  for (const [k, event] of events.entries()) {
    assert.equal(event.finality, 'finalized')
    assert.equal(event.mcSeqno, mcSeqno)
    if (k > 0) assert.ok(comparePositions(positionOf(events[k - 1]!), positionOf(event)) < 0, `${event.id} is in order`)
  }
  const last = events.at(-1)!
  assert.equal(last.kind, 'hd')
  assert.equal(events.filter(({ kind }) => kind === 'hd').length, 1)
  const own = events.flatMap((event) => (event.kind === 'tx' && 'account' in event ? [...event.transactions] : []))
  const rows = await query<{ hash: Uint8Array }>(database, 'SELECT hash FROM transactions WHERE mc_seqno = $1', [
    mcSeqno,
  ])
  assert.deepEqual(hashesOf(own), hashesOf(rows))
  const traces = tracesIn(block)
  const finished = await query<{ trace_id: Uint8Array; transactions: number }>(
    database,
    'SELECT trace_id, transactions FROM traces WHERE mc_seqno = $1',
    [mcSeqno],
  )
  assert.deepEqual(
    traces.map(({ trace }) => toHex(trace.traceId!)).sort(),
    finished.map(({ trace_id }) => toHex(trace_id)).sort(),
  )
  for (const { trace } of traces) {
    assert.equal(trace.isIncomplete, false)
    const members = await query<{ hash: Uint8Array }>(database, 'SELECT hash FROM transactions WHERE trace_id = $1', [
      trace.traceId,
    ])
    assert.deepEqual(hashesOf(trace.transactions), hashesOf(members))
    const actions = await query<{ action_id: Uint8Array }>(
      database,
      'SELECT action_id FROM actions WHERE trace_id = $1',
      [trace.traceId],
    )
    assert.equal(trace.actions!.length, actions.length)
  }
  const blocks = await query<{ root_hash: Uint8Array }>(database, 'SELECT root_hash FROM blocks WHERE mc_seqno = $1', [
    mcSeqno,
  ])
  assert.equal(events.filter(({ kind }) => kind === 'bl').length, blocks.length)
}

/** The least logical time of a block. */
const firstLtOf = ({ events }: BlockEvents): bigint =>
  events.reduce(
    (least, event) => (event.kind === 'bl' && event.block.startLt < least ? event.block.startLt : least),
    1n << 62n,
  )

/** Checks that the states of each account follow each other. */
const checkStates = (blocks: readonly BlockEvents[]): void => {
  const states = new Map<string, string>()
  for (const { events } of blocks) {
    for (const event of events) {
      if (event.kind !== 'st') continue
      const account = toHex(event.account)
      const before = states.get(account)
      if (before !== undefined) assert.equal(event.previous.hash && toHex(event.previous.hash), before)
      states.set(account, toHex(event.state.hash!))
    }
  }
}

test('the log of an embedded network is complete, in order, and the same for every reader', {
  timeout: 180_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const [database, other] = await Promise.all([openFreshDatabase(t, { url }), openFreshDatabase(t, { url })])
  const early: number[] = []
  const jumps: number[] = []
  const onJump = (mcSeqno: number): void => void jumps.push(mcSeqno)
  openLog(t, other).follow(({ mcSeqno }) => void early.push(mcSeqno), onJump)
  const pending = await startPendingNetwork(t, url, { shards: 2 })
  const log = openLog(t, database)
  const followed: BlockEvents[] = []
  const stop = log.follow((block) => void followed.push(block), onJump)
  await log.findHead()
  const { controls } = pending.network
  for (let k = 0; k < 6; k++) {
    await pending.traffic.step()
    await controls.mine(1)
  }
  await controls.mine(4)
  const { seqno: last } = controls.getStatus().head
  await waitUntil('all blocks were told', () => followed.at(-1)?.mcSeqno === last)
  assert.equal(log.head, last)

  await t.test('blocks are told in order and without holes, and are what is read', async () => {
    const [first] = followed
    assert.deepEqual(
      followed.map(({ mcSeqno }) => mcSeqno),
      followed.map((_block, k) => first!.mcSeqno + k),
    )
    await waitUntil('an empty index is followed from its first block on', () => early.at(-1) === last)
    assert.deepEqual(
      early,
      early.map((_seqno, k) => early[0]! + k),
    )
    const second = openLog(t, other)
    assert.equal(await second.findHead(), last)
    const oldest = await second.findOldest()
    assert.equal(oldest, 1)
    const blocks: BlockEvents[] = []
    for (let seqno = oldest; seqno <= last; seqno++) blocks.push(await second.read(seqno))
    for (const block of blocks) await checkBlock(other, block)
    checkStates(blocks)
    assert.deepEqual(followed, blocks.slice(first!.mcSeqno - oldest))
    const ids = blocks.flatMap(({ events }) => events.map(({ id }) => id))
    assert.equal(new Set(ids).size, ids.length)
    const [again] = await Promise.all([second.read(last), second.read(last)])
    assert.equal(again, blocks.at(-1))
  })

  await t.test('a trace over several blocks is told once, when it has ended, with all of its transactions', () => {
    const traces = followed.flatMap(tracesIn)
    const long = traces.filter(({ trace }) => new Set(trace.transactions.map(({ mcSeqno }) => mcSeqno)).size > 2)
    assert.ok(long.length > 0)
    for (const { trace, mcSeqno } of long) {
      assert.equal(traces.filter((each) => each.trace.traceId === trace.traceId).length, 1)
      assert.equal(trace.transactions.at(-1)!.mcSeqno, mcSeqno)
    }
    assert.ok(traces.some(({ trace }) => trace.actions!.some(({ type }) => type === 'jetton_transfer')))
    assert.ok(traces.some(({ trace }) => trace.externalHashNorm !== undefined))
  })

  await t.test('wallets of jettons are known to filters', () => {
    const masters = followed.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.kind === 'st' ? [...(event.facts?.values() ?? [])].filter((each) => each.jettonMaster !== undefined) : [],
      ),
    )
    assert.ok(masters.length > 0)
  })

  await t.test('balances of jetton wallets end as the index has them', async () => {
    const balances = new Map<string, bigint>()
    for (const event of followed.flatMap(({ events }) => events)) {
      if (event.kind !== 'je') continue
      const { address, balance, lastLt } = event.wallet
      assert.equal(lastLt, event.lt)
      balances.set(toHex(address), balance)
    }
    assert.ok(balances.size > 1, `${balances.size}`)
    const rows = await query<{ address: Uint8Array; balance: bigint }>(
      other,
      'SELECT address, balance FROM jetton_wallets WHERE last_lt > $1',
      [firstLtOf(followed[0]!)],
    )
    assert.deepEqual(
      [...balances].sort(),
      rows.map(({ address, balance }) => [toHex(address), BigInt(balance)] as const).sort(),
    )
  })

  await t.test('memory has a bound, and blocks that somebody holds are shared', async () => {
    const maxBytes = 400_000
    const small = openLog(t, other, { maxBytes })
    const held: BlockEvents[] = []
    for (let seqno = 1; seqno <= last; seqno++) {
      held.push(await small.read(seqno))
      assert.ok(small.cachedBytes <= maxBytes, `${small.cachedBytes}`)
    }
    assert.ok(small.cachedBytes > 0)
    for (const [k, block] of held.entries()) assert.equal(await small.read(k + 1), block)
  })

  await t.test('a time names the last block before it', async () => {
    const { utime } = followed.at(-1)!
    assert.equal(await log.findBefore(utime), last)
    assert.equal(await log.findBefore(utime + 1000), last)
    assert.equal(await log.findBefore(4_294_967_295), last)
    assert.equal(await log.findBefore(0), 0)
    const middle = followed.findLast((block) => block.utime < utime) ?? (await log.read(1))
    const found = await log.findBefore(middle.utime)
    assert.equal((await log.read(found)).utime, middle.utime)
    assert.ok((await log.read(found + 1)).utime > middle.utime)
  })

  await t.test('a block waits for its classification', async () => {
    const block = followed.findLast((each) => tracesIn(each).some(({ trace }) => trace.actions!.length > 1))!
    await database.transaction(async (client) => {
      await client.query('DELETE FROM actions WHERE mc_seqno = $1', [block.mcSeqno])
      await client.query('DELETE FROM action_accounts WHERE mc_seqno = $1', [block.mcSeqno])
      await client.query('INSERT INTO unclassified_blocks VALUES ($1)', [block.mcSeqno])
    })
    const late = openLog(t, other)
    // It may be read between the classification and the end of its wait.
    assert.deepEqual({ ...(await late.read(block.mcSeqno)), isProvisional: false }, block)
  })

  await t.test('a chain that is set back: what came after is void, and other blocks come instead', async () => {
    const { id, head } = await controls.snapshot()
    await controls.faucet(pending.network.accounts[0]!.address, 5_000_000_000n)
    await controls.mine(12)
    const { head: dropped } = controls.getStatus()
    await waitUntil('they are told', () => log.head === dropped.seqno && early.at(-1) === dropped.seqno)
    assert.deepEqual(jumps, [])
    const void1 = followed.at(-1)!
    // A read that is longer than the lock timeout of the tables: meanwhile the index cannot be cleared.
    await other.transaction(async (client) => {
      await client.query('SELECT FROM transactions LIMIT 1')
      await controls.revert(id)
      await delay(5000)
    })
    assert.deepEqual(jumps, [], 'nothing has come in their place yet')
    await controls.faucet(pending.network.accounts[1]!.address, 7_000_000_000n)
    await controls.mine(1)
    const { head: now } = controls.getStatus()
    await waitUntil(
      () =>
        `the new blocks up to ${now.seqno} are told: the log is at ${log.head}, after a jump to ${jumps}, the network at ${controls.getStatus().head.seqno}; ${log.lines.join('')}`,
      () => followed.at(-1)!.mcSeqno === now.seqno,
    )
    await waitUntil(
      () => `both logs have jumped, not ${jumps}`,
      () => jumps.length === 2,
      { timeoutMs: 20_000 },
    )
    assert.deepEqual(jumps, [head.seqno, head.seqno])
    assert.ok(now.seqno < dropped.seqno)
    await assert.rejects(log.read(dropped.seqno), ChainSetBackError)
    const fresh = followed.slice(followed.indexOf(void1) + 1)
    assert.deepEqual(
      fresh.map(({ mcSeqno }) => mcSeqno),
      fresh.map((_block, k) => head.seqno + 1 + k),
    )
    for (const block of fresh) await checkBlock(database, block)
    const third = openLog(t, other)
    // The index begins anew at its newest block: states after its transactions may be known only when it was told already.
    const withoutStates = (block: unknown): string =>
      JSON.stringify(block, (name, value) =>
        name === 'known' ? undefined : typeof value === 'bigint' ? `${value}` : value,
      )
    assert.equal(withoutStates(await third.read(now.seqno)), withoutStates(followed.at(-1)))
  })

  await t.test('lost connections delay, and are logged once', async () => {
    const before = log.lines.length
    const killed = await query<{ ok: boolean }>(
      other,
      `SELECT pg_terminate_backend(pid) AS ok FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    assert.ok(killed.length > 0)
    await controls.mine(2)
    const { seqno: last } = controls.getStatus().head
    await waitUntil('the log goes on', () => log.head === last)
    assert.equal(followed.at(-1)!.mcSeqno, last)
    assert.ok(log.lines.length - before <= 2, log.lines.join('\n'))
  })

  await t.test('nothing is read while nobody listens', async () => {
    stop()
    await delay(50)
    const { head } = log
    await controls.mine(1)
    await waitUntil('it is indexed', async () => {
      const text = 'SELECT 1 FROM blocks WHERE workchain = -1 AND seqno = $1'
      return (await query(other, text, [head! + 1])).length > 0
    })
    await delay(300)
    assert.equal(log.head, head)
    assert.equal(await log.findHead(), head! + 1)
  })
})
