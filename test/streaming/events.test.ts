import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Compile } from 'typebox/compile'
import type { Call } from '../../src/api/core/Call.ts'
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import { mount } from '../../src/api/core/Mount.ts'
import type { PollLimits, StreamingContext } from '../../src/api/streaming/endpoints.ts'
import { presentStreaming } from '../../src/api/streaming/index.ts'
import { createEventRenderer, type EventRendererParts } from '../../src/api/streaming/renderEvent.ts'
import { EventView } from '../../src/api/streaming/views.ts'
import { expandActionTypes } from '../../src/api/v3/supportedActionTypes.ts'
import { createBodyDecoder } from '../../src/contracts/layouts/createBodyDecoder.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { addressKeyOf, parseAddress } from '../../src/primitives/Address.ts'
import type { Database, Reader } from '../../src/store/connect/Database.ts'
import type { BlockEvents, JettonEvent, StreamEvent } from '../../src/streaming/events.ts'
import { IndexLog } from '../../src/streaming/log/IndexLog.ts'
import { matchEvent } from '../../src/streaming/subscription/matchEvent.ts'
import { parseSubscription } from '../../src/streaming/subscription/parseSubscription.ts'
import type { Subscription } from '../../src/streaming/subscription/Subscription.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { createFaultLogger } from '../support/serviceLog.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { openV3Demo } from '../support/v3Demo.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const everything = ['transactions', 'actions', 'trace', 'account_state_change', 'jettons_change', 'blocks']

const subscribe = (value: object): Subscription =>
  parseSubscription(value, { transport: 'sse', mayStreamAll: true, expandActionTypes }).subscription

const checkView = Compile(EventView)

const expectView = (text: string): Json => {
  const value: Json = JSON.parse(text)
  assert.ok(checkView.Check(value), `${value.type}: ${JSON.stringify(checkView.Errors(value).slice(0, 3))}`)
  assert.equal(text.includes('\n'), false)
  return value
}

describe('events as JSON', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let blocks: BlockEvents[] = []
  let log: IndexLog
  /** The present state of some wallets. */
  let jettons: JettonEvent[] = []
  let endings: (() => unknown)[] = []

  before(async () => {
    const t = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    database = await openFreshDatabase(t)
    service = await startV3Network(t, database)
    const demo = await openV3Demo(service)
    for (let k = 0; k < 3; k++) await demo.traffic.step()
    await demo.settle()
    const logger = createLogger({ level: 'error', format: 'json', colours: false, write: () => undefined })
    log = new IndexLog({ database, logger })
    t.after(() => log.close())
    const head = await log.findHead()
    blocks = await Promise.all(Array.from({ length: head! }, (_, k) => log.read(k + 1)))
    const { body } = await getV3(`${service.url}/api/v3`, 'jetton/wallets', { limit: 5 })
    jettons = body.jetton_wallets.map(toJettonEvent)
  })

  after(async () => {
    for (const ending of endings) await ending()
    endings = []
  })

  const open = (parts: Partial<EventRendererParts> = {}) =>
    createEventRenderer({
      decoder: createBodyDecoder(),
      dialect: 'chain',
      reads: database.reader(),
      testOnly: false,
      findHead: () => 1000,
      ...parts,
    })

  const eventsOf = (kind: StreamEvent['kind']): StreamEvent[] =>
    blocks.flatMap(({ events }) => events.filter((event) => event.kind === kind))

  /** Events of everything that matches, as text. */
  const renderAll = async (subscription: Subscription, renderer = open()): Promise<Json[]> => {
    const views: Json[] = []
    for (const { events } of blocks) {
      for (const event of events) {
        const part = matchEvent(subscription, event)
        if (part !== undefined) views.push(expectView(await renderer.render(part, subscription)))
      }
    }
    return views
  }

  test('3 and 5.7: every event has the shape of its schema, with and without further members', async () => {
    const extended = await renderAll(
      subscribe({ types: everything, addresses: ['*'], include_address_book: true, include_metadata: true }),
    )
    assert.deepEqual(
      new Set(extended.map(({ type }) => type)),
      new Set([
        'transactions',
        'actions',
        'trace',
        'account_state_change',
        'jettons_change',
        'block',
        'masterchain_head',
      ]),
    )
    for (const event of extended) {
      assert.match(event.event_id, /^f-/)
      assert.equal(event.mc_seqno, 1000)
      assert.ok(Math.abs(event.emitted_at - Date.now()) < 60_000)
      assert.equal(event.revision, ['transactions', 'actions', 'trace'].includes(event.type) ? 1 : undefined)
    }
    const accounts = extended.filter(({ type }) => type === 'account_state_change').map(({ account }) => account)
    const plain = await renderAll(subscribe({ types: everything.slice(0, 2), addresses: accounts }))
    assert.deepEqual(
      new Set(plain.flatMap(Object.keys)),
      new Set(['type', 'finality', 'trace_external_hash_norm', 'transactions', 'actions']),
    )
  })

  test('3: transactions are those of v3, lt descending', async () => {
    const [first] = eventsOf('tr').filter((event) => 'trace' in event && event.trace.transactions.length > 3)
    assert.ok(first !== undefined && 'trace' in first)
    const { trace } = first
    const accounts = trace.transactions.map(({ account }) => account)
    const addresses = accounts.map((key) => `${(key[0]! << 24) >> 24}:${Buffer.from(key.subarray(1)).toString('hex')}`)
    const views = await renderAll(subscribe({ types: ['transactions'], addresses }))
    const id = Buffer.from(trace.traceId!).toString('base64')
    const own = views.find(({ transactions }) => transactions[0].trace_id === id)
    const lts = own.transactions.map(({ lt }: Json) => BigInt(lt))
    assert.equal(lts.length, trace.transactions.length)
    assert.deepEqual(
      lts,
      [...lts].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
    )
    for (const transaction of own.transactions) {
      const { body } = await getV3(`${service.url}/api/v3`, 'transactions', { hash: transaction.hash })
      assert.deepEqual(transaction, body.transactions[0])
      assert.ok(transaction.trace_external_hash)
    }
  })

  test('3: traces, actions, blocks and jetton wallets are those of v3', async () => {
    const base = `${service.url}/api/v3`
    const views = await renderAll(
      subscribe({ types: everything, addresses: ['*'], include_address_book: true, include_metadata: true }),
    )
    const traces = views
      .filter(({ type }) => type === 'trace')
      .sort((a, b) => Object.keys(b.transactions).length - Object.keys(a.transactions).length)
    for (const trace of traces.slice(0, 5)) {
      const { body } = await getV3(base, 'traces', { trace_id: trace.trace_id, include_actions: true })
      const [known] = body.traces
      assert.deepEqual(trace.trace, known.trace)
      assert.deepEqual(trace.transactions, known.transactions)
      assert.deepEqual(
        (trace.actions ?? []).map(({ accounts, ...action }: Json) => action).sort(byId),
        known.actions.sort(byId),
      )
      assert.deepEqual(trace.address_book, body.address_book)
      assert.deepEqual(trace.metadata, body.metadata)
      assert.equal(trace.is_incomplete, undefined)
    }
    for (const { actions, address_book } of views.filter(({ type }) => type === 'actions').slice(0, 20)) {
      const ids = actions.map(({ action_id }: Json) => action_id)
      const { body } = await getV3(base, 'actions', { action_id: ids, include_accounts: true, limit: 1000 })
      const own = body.actions.filter(({ trace_id }: Json) => trace_id === actions[0].trace_id)
      assert.deepEqual(actions.toSorted(byId), own.sort(byId))
      if (own.length === body.actions.length) assert.deepEqual(address_book, body.address_book)
      const ends = actions.map(({ end_lt }: Json) => BigInt(end_lt))
      assert.deepEqual(
        ends,
        [...ends].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
      )
    }
    const block = views.find(({ type }) => type === 'block')
    const { workchain, shard, seqno } = block.block
    const { body: headers } = await getV3(base, 'blocks', { workchain, shard, seqno })
    assert.deepEqual([block.block, block.transactions_count], [headers.blocks[0], headers.blocks[0].tx_count])
    assert.ok(jettons.length > 0)
    const wallets = subscribe({
      types: ['jettons_change'],
      addresses: ['*'],
      include_address_book: true,
      include_metadata: true,
    })
    for (const event of jettons) {
      const view = expectView(await open().render(matchEvent(wallets, event)!, wallets))
      const { address, jetton } = view.jetton
      const { body } = await getV3(base, 'jetton/wallets', { address })
      assert.deepEqual(view.jetton, body.jetton_wallets[0])
      assert.deepEqual(view.address_book, body.address_book)
      assert.deepEqual(view.metadata[jetton], body.metadata[jetton])
      assert.equal(view.metadata[address], undefined)
    }
  })

  test('6.2: books are cut to the part of the receiver', async () => {
    const [event] = eventsOf('tx').filter((each) => 'trace' in each && each.trace.transactions.length > 3)
    assert.ok(event !== undefined && 'trace' in event)
    const reader = countReads(database.reader())
    const renderer = open({ reads: reader.reads })
    const sizes: number[] = []
    for (const { account } of event.trace.transactions) {
      const address = `${(account[0]! << 24) >> 24}:${Buffer.from(account.subarray(1)).toString('hex')}`
      const subscription = subscribe({ types: ['transactions'], addresses: [address], include_address_book: true })
      const view = expectView(await renderer.render(matchEvent(subscription, event)!, subscription))
      const named = view.transactions.flatMap(({ account: own, in_msg, out_msgs }: Json) => [
        own,
        in_msg?.source,
        ...out_msgs.map(({ destination }: Json) => destination),
      ])
      assert.deepEqual(new Set(Object.keys(view.address_book)), new Set(named.filter((each: Json) => each !== null)))
      sizes.push(Object.keys(view.address_book).length)
    }
    assert.ok(new Set(sizes).size > 1)
    const counted = reader.count()
    const whole = subscribe({ types: ['transactions'], addresses: ['*'], include_address_book: true })
    await renderer.render(matchEvent(whole, event)!, whole)
    assert.equal(reader.count(), counted)
  })

  test('6.2: a lookup that hangs or fails is left out after its time, extended receivers get null', async () => {
    const [event] = jettons
    const hanging = { read: () => new Promise<never>(() => undefined) } as unknown as Reader
    const failing = { read: () => Promise.reject(new Error('gone')) } as unknown as Reader
    const plain = subscribe({
      types: ['jettons_change'],
      filters: undefined,
      addresses: addressesIn(event!),
      include_address_book: true,
      include_metadata: true,
    })
    const extended = { ...plain, extended: true }
    for (const reads of [hanging, failing]) {
      const renderer = open({ reads: { keyedReads: reads, listReads: reads }, lookupMs: 50 })
      const start = performance.now()
      const without = subscribe({ types: ['jettons_change'], addresses: addressesIn(event!) })
      await renderer.render(matchEvent(without, event!)!, without)
      assert.ok(performance.now() - start < 45, 'others do not wait')
      const view = expectView(await renderer.render(matchEvent(plain, event!)!, plain))
      assert.deepEqual([view.address_book, view.metadata], [undefined, undefined])
      const told = expectView(await renderer.render(matchEvent(extended, event!)!, extended))
      assert.deepEqual([told.address_book, told.metadata], [null, null])
    }
    const noIndex = open({ reads: undefined })
    const view = expectView(await noIndex.render(matchEvent(extended, event!)!, extended))
    assert.deepEqual([view.address_book, view.metadata], [null, null])
  })

  test('receivers with equal parts and options share one text; the TON dialect spells opcodes', async () => {
    const [event] = eventsOf('tr')
    const renderer = open()
    const [one, two] = [0, 1].map(() => subscribe({ types: ['trace'], addresses: ['*'] }))
    const texts = [one, two].map((each) => renderer.render(matchEvent(each!, event!)!, each!))
    assert.equal(texts[0], texts[1])
    const plain: Json = JSON.parse(await texts[0]!)
    const spelled: Json = JSON.parse(await open({ dialect: 'ton' }).render(matchEvent(one!, event!)!, one!))
    const opcodes = (view: Json): unknown[] => Object.values(view.transactions).map((each: Json) => each.in_msg?.opcode)
    assert.deepEqual(
      opcodes(spelled),
      opcodes(plain).map((each) =>
        typeof each === 'number' ? `0x${(each >>> 0).toString(16).padStart(8, '0')}` : each,
      ),
    )
  })

  const servePolling = async (
    t: TestContext,
    limits: Partial<PollLimits> = {},
  ): Promise<(path: string, args?: object) => Promise<Answer>> => {
    const renderer = open()
    const context = (call: Call): StreamingContext => ({
      log,
      render: (part, subscription) => renderer.render(part, subscription),
      limits: { addresses: undefined, replayMs: undefined, isForAll: true, ...limits },
      call,
    })
    const lines: string[] = []
    const server = await createHttpServer({
      mounts: [
        mount(presentStreaming('/api/streaming/v2', 'chain'), context, { checkResults: true }),
        mount(presentStreaming('/ton/api/streaming/v2', 'ton'), context, { checkResults: true }),
      ],
      logger: createFaultLogger(lines),
      host: '127.0.0.1',
      port: 0,
      limits: {},
    })
    t.after(() => server.close())
    return async (path, args = {}) => {
      const { status, body } = await getV3(server.url, path, { ...args })
      assert.deepEqual(lines, [])
      return { status, body }
    }
  }

  test('5.5: pages are the log without hole or double, whatever their size', async (t) => {
    const ask = await servePolling(t)
    const args = { types: everything, addresses: ['*'], deliver: 'transaction' }
    const expected = await renderAll(subscribe(args))
    const ids = expected.map(({ event_id }) => event_id)
    const [first, last] = [blocks[0]!.events[0]!.id, blocks.at(-1)!.events.at(-1)!.id]
    const found: string[] = []
    let since: object = { 'since.mc_seqno': 0 }
    for (const limit of [1, 7, 300, 1000, 1000, 1000]) {
      const { status, body } = await ask('api/streaming/v2/events', { ...args, ...since, limit })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.head, body.oldest, body.gap], [last, first, undefined])
      assert.ok(body.events.length <= limit)
      found.push(...body.events.map(({ event_id }: Json) => event_id))
      since = { since: body.next }
    }
    assert.deepEqual(found, ids)
    const { body } = await ask('api/streaming/v2/events', { ...args, ...since })
    assert.deepEqual([body.events, body.next], [[], last])
    const none = await ask('api/streaming/v2/events', { types: 'blocks' })
    assert.deepEqual([none.body.events, none.body.next], [[], last])
    // A part of the log.
    const cut = { 'since.mc_seqno': 3, until: blocks[4]!.events.at(-1)!.id, types: ['blocks'] }
    const { body: some } = await ask('ton/api/streaming/v2/events', cut)
    assert.deepEqual(
      some.events.filter(({ type }: Json) => type === 'masterchain_head').map(({ seqno }: Json) => seqno),
      [4, 5],
    )
    assert.equal(some.next, cut.until)
  })

  test('5.5: one event by its id', async (t) => {
    const ask = await servePolling(t)
    const all = await renderAll(subscribe({ types: everything, addresses: ['*'] }))
    for (const type of ['transactions', 'actions', 'trace', 'account_state_change', 'block', 'masterchain_head']) {
      const expected = all.find((view) => view.type === type)
      const { status, body } = await ask(`api/streaming/v2/events/${expected.event_id}`)
      assert.equal(status, 200)
      assert.deepEqual({ ...body, emitted_at: 0 }, { ...expected, emitted_at: 0 })
    }
    for (const id of ['x', 's-1-1234abcd-1', 'f-1-1-tx-0000000000000000', 'f-99999-1-tx-0000000000000000']) {
      assert.deepEqual(await ask(`api/streaming/v2/events/${id}`), { status: 404, body: { error: 'event not found' } })
    }
  })

  test('5.3 and 5.5: refusals have the texts of the contract', async (t) => {
    const ask = await servePolling(t, { addresses: 1, isForAll: false })
    const account = `0:${'11'.repeat(32)}`
    const cases: [args: object, status: number, error: string][] = [
      [{}, 400, 'types are required for subscription'],
      [{ types: 'x' }, 400, 'invalid event type: x'],
      [{ types: 'blocks', since: 'x' }, 400, 'invalid since: x'],
      [{ types: 'blocks', 'since.mc_seqno': 1_000_000 }, 400, 'since is ahead of the chain'],
      [{ types: 'blocks', limit: 1001 }, 400, 'limit must be an integer up to 1000'],
      [{ types: 'blocks', wait: 'x' }, 400, 'wait must be an integer up to 25'],
      [{ types: 'transactions', addresses: ['*'] }, 403, 'addresses "*" need a key with the scope stream:all'],
      [{ types: 'transactions', addresses: [account, friendlyOther] }, 400, 'too many addresses: 2 > max 1'],
      [{ types: 'transactions', addresses: account, 'filters.x': 1 }, 400, 'unknown filter: x'],
    ]
    for (const [args, status, error] of cases) {
      assert.deepEqual(await ask('api/streaming/v2/events', args), { status, body: { error } })
    }
    const shallow = await servePolling(t, { replayMs: 0 })
    const oldest = blocks.at(-1)!.mcSeqno
    const old = await shallow('api/streaming/v2/events', { types: 'blocks', 'since.mc_seqno': 0 })
    assert.deepEqual(old, {
      status: 410,
      body: { error: `since is older than what is kept: masterchain block ${oldest}`, oldest },
    })
    const marked = await shallow('api/streaming/v2/events', { types: 'blocks', 'since.mc_seqno': 0, on_gap: 'mark' })
    assert.deepEqual([marked.body.gap.lost, marked.body.gap.reason], ['all', 'not_kept'])
    assert.ok(marked.body.events.every(({ type, seqno }: Json) => type === 'block' || seqno === oldest))
  })

  test('5.5: a long poll ends with the next block, or empty after its time', async (t) => {
    const ask = await servePolling(t)
    const { body: before } = await ask('api/streaming/v2/events', { types: 'blocks' })
    const start = performance.now()
    const { body: empty } = await ask('api/streaming/v2/events', { types: 'blocks', since: before.next, wait: 1 })
    assert.deepEqual([empty.events, empty.next], [[], before.next])
    assert.ok(performance.now() - start >= 990)
    const waiting = ask('api/streaming/v2/events', { types: 'blocks', since: before.next, wait: 25 })
    await service.mine(1)
    const { body } = await waiting
    assert.equal(body.events.at(-1).type, 'masterchain_head')
    assert.equal(body.head, body.next)
  })

  test('5.4: success is that of the compute phase and the action phase', async () => {
    const find = async (success: boolean): Promise<Json[]> =>
      (await renderAll(subscribe({ types: ['transactions'], addresses: ['*'], filters: { success } }))).flatMap(
        ({ transactions = [] }) => transactions,
      )
    const [fine, failed] = [await find(true), await find(false)]
    assert.ok(fine.length > 0 && failed.length > 0)
    const isFine = ({ description }: Json): boolean =>
      description.compute_ph?.success === true && (description.action?.success ?? true)
    assert.ok(fine.every(isFine))
    assert.ok(!failed.some(isFine))
  })
})

type Answer = { readonly status: number; readonly body: Json }

const friendlyOther = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

const byId = (a: Json, b: Json): number => (a.action_id < b.action_id ? -1 : 1)

const addressesIn = ({ wallet }: JettonEvent): string[] => [
  `0:${Buffer.from(wallet.owner.subarray(1)).toString('hex')}`,
]

const toJettonEvent = (wallet: Json): JettonEvent => {
  const keyOf = (text: string): Uint8Array => addressKeyOf(parseAddress(text))
  const hash = (text: string): Uint8Array => Buffer.from(text, 'base64')
  return {
    id: 'f-8-5-je-0000000000000001',
    finality: 'finalized',
    mcSeqno: 8,
    utime: 1,
    kind: 'je',
    lt: BigInt(wallet.last_transaction_lt),
    wallet: {
      address: keyOf(wallet.address),
      balance: BigInt(wallet.balance),
      owner: keyOf(wallet.owner),
      jetton: keyOf(wallet.jetton),
      lastLt: BigInt(wallet.last_transaction_lt),
      codeHash: hash(wallet.code_hash),
      dataHash: hash(wallet.data_hash),
    },
  }
}

/** Readers that count their queries. */
const countReads = (reads: { keyedReads: Reader; listReads: Reader }) => {
  let count = 0
  const counted = (reader: Reader): Reader =>
    new Proxy(reader, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          count++
          return Reflect.apply(member, target, args) as unknown
        }
      },
    })
  return { reads: { keyedReads: counted(reads.keyedReads), listReads: counted(reads.listReads) }, count: () => count }
}
