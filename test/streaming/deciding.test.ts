import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { readMessage, writeMessage } from '../../src/codec/tlb/Message.ts'
import { findAccounts, WELL_KNOWN_SEED } from '../../src/devnet/network/networkKeys.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { BusyPayers } from '../support/busyNetwork.ts'
import { missingDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/databaseServer.ts'
import { ServeProcess } from '../support/serveProcess.ts'
import { openSse, SseParser, WsClient } from '../support/streamClients.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import type { Json } from '../support/v3Client.ts'
import { waitUntil } from '../support/waitUntil.ts'

const GRAM = 1_000_000_000n
const STALL_MS = 3000
const MINING = { mode: 'interval', intervalMs: 300, emptyBlocks: true } as const

/** Everything, of all accounts. */
const everything = {
  types: ['transactions', 'actions', 'account_state_change', 'jettons_change', 'blocks'],
  addresses: ['*'],
  extended: true,
  include_address_book: true,
}

describe('cases that decide whether streaming is real', { skip: missingDatabase() }, () => {
  const endings: (() => unknown)[] = []
  let network: RunningNetwork
  let payers: BusyPayers
  let databaseUrl: string
  let url: string
  let last: number

  /** All blocks from the first on are indexed: streams are asked for from there. */
  const settle = async (): Promise<void> => {
    last = network.controls.getStatus().head.seqno
    await untilIndexed(`${url}/api/v3`, last, 1)
  }

  before(async () => {
    const database = await openTestDatabase()
    endings.push(() => database.close())
    databaseUrl = database.url
    const streaming = {
      streamStall: STALL_MS,
      streamReplayRate: 2000,
      streamMemory: 64,
      streamPrefixes: [],
      streamPlans: [],
      trustedProxies: [],
    }
    network = await startNetwork({ seed: WELL_KNOWN_SEED, mining: MINING, http: { streaming }, index: { databaseUrl } })
    endings.push(() => network.close())
    await network.indexed
    url = network.url!
    payers = new BusyPayers(network, { payers: 12, seed: 5 })
    endings.push(() => payers.close())
    await payers.fund()
    for (let k = 0; k < 4; k++) await payers.round()
    await settle()
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
  })

  /** The whole stream up to the last block, without interruption. */
  const readAll = async (from: string): Promise<{ readonly ids: string[]; readonly events: Json[] }> => {
    const client = await openSse(from, { ...everything, since: { mc_seqno: 1 }, until: { mc_seqno: last } })
    await waitUntil('the stream ends', () => client.isClosed)
    const end = client.parser.frames.at(-1)
    assert.deepEqual([client.status, end?.event], [200, 'completed'], `${client.body} ${end?.data}`)
    return { ids: client.ids, events: client.events }
  }

  test('1: the connection is cut at any byte, and resumed with the last id', { timeout: 120_000 }, async () => {
    const whole = await readAll(url)
    assert.ok(whole.ids.length > 100, `${whole.ids.length} events`)
    assert.equal(new Set(whole.ids).size, whole.ids.length)
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const ids: string[] = []
    let cuts = 0
    for (; ids.length < whole.ids.length; cuts++) {
      assert.ok(cuts < 1000)
      ids.push(...(await readBytes(url, ids.at(-1), last, 200 + random(60_000))))
    }
    assert.ok(cuts > 10, `${cuts} cuts`)
    assert.deepEqual(ids, whole.ids)
  })

  test('2: two replicas give the same events the same ids and the same data', { timeout: 120_000 }, async (t) => {
    const args = ['serve', '--database-url', databaseUrl, '--port', '0', '--no-limits', '--log-level', 'warn']
    const replica = new ServeProcess([...args, '--operations-address', 'none'], tempFolder(t))
    t.after(() => replica.kill())
    const [own, others] = await Promise.all([readAll(url), readAll(await replica.url)])
    assert.deepEqual(others.ids, own.ids)
    const bare = (events: readonly Json[]): Json[] => events.map(({ emitted_at, mc_seqno, ...data }) => data)
    assert.deepEqual(bare(others.events), bare(own.events))
  })

  test('3: a client that never reads delays nobody, gets 4008, and resumes without loss', {
    timeout: 120_000,
  }, async (t) => {
    const slow = await new WsClient(url).opened()
    const quick = await new WsClient(url).opened()
    t.after(() => quick.close())
    await quick.request({ operation: 'subscribe', ...everything })
    slow.socket.pause()
    const ops = setInterval(() => {
      // Each begins from the start again, until the buffers of both ends are full.
      slow.socket.send(JSON.stringify({ operation: 'subscribe', ...everything, since: { mc_seqno: 1 } }))
    }, 150)
    t.after(() => clearInterval(ops))
    const delays: number[] = []
    const seen = (seqno: number): boolean =>
      quick.events.some((event) => event.type === 'masterchain_head' && event.seqno === seqno)
    const begun = performance.now()
    while (performance.now() - begun < STALL_MS + 6000) {
      await payers.send(6)
      // The next block: the last one may be older than the subscription.
      const seqno = network.controls.getStatus().head.seqno + 1
      await untilIndexed(`${url}/api/v3`, seqno)
      const at = performance.now()
      await waitUntil(`block ${seqno} comes`, () => seen(seqno))
      delays.push(performance.now() - at)
    }
    clearInterval(ops)
    slow.socket.resume()
    await waitUntil('it is closed', () => slow.code !== undefined)
    assert.equal(slow.code, 4008)
    const middle = delays.toSorted((a, b) => a - b)[delays.length >> 1]!
    assert.ok(middle < 1000, `${middle} ms`)
    // What it had got of the last stream, and what it gets after that.
    const lastAnswer = slow.messages.findLastIndex(({ status }) => status === 'subscribed')
    const got = slow.messages.slice(lastAnswer + 1).map(({ event_id: id }) => id as string)
    await settle()
    const rest = got.length === 0 ? { mc_seqno: 1 } : got.at(-1)
    const resumed = await openSse(url, { ...everything, since: rest, until: { mc_seqno: last } })
    await waitUntil('the stream ends', () => resumed.isClosed)
    assert.deepEqual([...got, ...resumed.ids], (await readAll(url)).ids)
  })

  test('4: a trace is confirmed, then its shard block is replaced: all is taken back, then the new course comes', {
    timeout: 120_000,
  }, async (t) => {
    const { controls } = network
    await settle()
    // Shard blocks wait for their masterchain block until told otherwise.
    await controls.setMining({ mode: 'manual', commitDelayMs: 600_000 })
    t.after(() => controls.setMining(MINING))
    const [, bob, carol] = await findAccounts(WELL_KNOWN_SEED)
    const { address } = network.accounts[1]!
    const client = await new WsClient(url).opened()
    t.after(() => client.close())
    const types = ['transactions', 'trace', 'account_state_change']
    const wanted = { types, addresses: [address], min_finality: 'confirmed', extended: true }
    await client.request({ operation: 'subscribe', ...wanted })
    const plain = await new WsClient(url).opened()
    t.after(() => plain.close())
    await plain.request({ operation: 'subscribe', ...wanted, min_finality: 'finalized' })
    const messages = [{ destination: carol!.wallet.address, value: GRAM, bounce: false }]
    const validUntil = controls.getStatus().utime + 600
    const message = signTransfer(bob!.wallet, bob!.key, { seqno: 0, validUntil, messages }, { deploy: false })
    await controls.send(message)
    const mined = controls.mine(1)
    const kindsOf = (events: readonly Json[]): string[] =>
      events.map(({ type, finality }) => `${type} ${finality ?? ''}`)
    /** From one on, without heads. */
    const eventsFrom = (first: number): Json[] =>
      client.events.filter(({ type }) => type !== 'masterchain_head').slice(first)
    await waitUntil('it is confirmed', () => eventsFrom(0).some(({ type }) => type === 'trace'))
    const confirmed = eventsFrom(0)
    assert.deepEqual(kindsOf(confirmed), [
      'transactions confirmed',
      'account_state_change confirmed',
      'trace confirmed',
    ])
    const [transactions, state, trace] = confirmed
    const hash = trace.trace_external_hash_norm
    assert.equal(transactions.transactions[0].finality, 'confirmed')
    assert.equal(transactions.transactions[0].emulated, false)
    assert.deepEqual([state.account, state.mc_block_seqno], [transactions.transactions[0].account, null])
    assert.equal(Object.keys(trace.transactions).length, 2)
    for (const { event_id: id } of confirmed) assert.match(id, /^s-/)

    await controls.replacePending()
    await waitUntil('it is taken back', () => eventsFrom(0).some(({ type }) => type === 'state_invalidated'))
    const back = eventsFrom(confirmed.length)
    assert.deepEqual(kindsOf(back), ['message_expired ', 'trace_invalidated ', 'state_invalidated '])
    assert.equal(back[0].reason, 'block_discarded')
    assert.deepEqual([back[0].trace_external_hash_norm, back[1].trace_external_hash_norm], [hash, hash])
    assert.deepEqual([back[2].account, back[2].hash, back[2].lt], [state.account, state.state.hash, state.lt])

    // The block without the message becomes final; the next one has it.
    await controls.commit()
    await mined
    const again = controls.mine(1)
    const course = (): Json[] => eventsFrom(confirmed.length + back.length)
    await waitUntil('it is confirmed again', () => course().some(({ type }) => type === 'trace'))
    await controls.commit()
    await again
    await waitUntil('it is final', () => course().filter(({ type }) => type === 'trace').length === 2)
    assert.deepEqual(kindsOf(course().slice(0, 3)), kindsOf(confirmed))
    // The log has its own order: by logical time.
    assert.deepEqual(kindsOf(course().slice(3)), [
      'account_state_change finalized',
      'transactions finalized',
      'trace finalized',
    ])
    assert.equal(course()[2].trace_external_hash_norm, hash)
    const [, told, , final] = course()
    assert.deepEqual([final.state, final.lt], [told.state, told.lt], 'the state that was confirmed')
    // Who wants final events got nothing else.
    await waitUntil('others have it', () => plain.events.some(({ type }) => type === 'trace'))
    assert.ok(plain.events.every((event) => event.event_id.startsWith('f-')))
    const health = await fetch(`${url}/api/streaming/healthz`)
    const { capabilities } = (await health.json()) as Json
    assert.deepEqual(capabilities, ['pending', 'confirmed', 'finalized', 'replay'])
  })

  test('5: a masterchain head comes after every event of its block, also under load', {
    timeout: 60_000,
  }, async (t) => {
    const client = await new WsClient(url).opened()
    t.after(() => client.close())
    await client.request({ operation: 'subscribe', ...everything })
    for (let k = 0; k < 4; k++) await payers.round()
    const { seqno } = network.controls.getStatus().head
    await waitUntil('the head comes', () =>
      client.events.some((event) => event.type === 'masterchain_head' && event.seqno >= seqno),
    )
    let head = 0
    let count = 0
    for (const event of client.events) {
      const block = Number(event.event_id.split('-')[1])
      if (head > 0) assert.equal(block, head + 1, `${event.event_id} after the head of block ${head}`)
      if (event.type !== 'masterchain_head') continue
      assert.equal(event.seqno, block)
      head = block
      count++
    }
    assert.ok(count >= 3)
  })

  test('6: a message that is sent twice, once in another outer form, has one trace hash', {
    timeout: 60_000,
  }, async (t) => {
    const [alice, bob] = await findAccounts(WELL_KNOWN_SEED)
    const client = await new WsClient(url).opened()
    t.after(() => client.close())
    const address = network.accounts[0]!.address
    const wanted = { types: ['transactions'], addresses: [address], min_finality: 'pending', extended: true }
    await client.request({ operation: 'subscribe', ...wanted })
    const messages = [{ destination: bob!.wallet.address, value: GRAM, bounce: false }]
    const validUntil = network.controls.getStatus().utime + 60
    const message = signTransfer(alice!.wallet, alice!.key, { seqno: 0, validUntil, messages }, { deploy: false })
    const parsed = readWhole(message, readMessage, 'message')
    assert.ok(parsed.info.kind === 'externalIn')
    const other = writeWhole(writeMessage, { ...parsed, info: { ...parsed.info, importFee: 77n } })
    assert.notDeepEqual(other.hash(), message.hash())
    const hashes: string[] = []
    for (const each of [message, other]) {
      const response = await fetch(`${url}/api/v2/sendBocReturnHash`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ boc: toBase64(encodeBoc([each])) }),
      })
      const { result } = (await response.json()) as { readonly result?: { readonly hash_norm: string } }
      if (result !== undefined) hashes.push(result.hash_norm)
    }
    assert.equal(new Set(hashes).size, 1)
    const ofTrace = (): Json[] => client.events.filter(({ type }) => type === 'transactions')
    await waitUntil('the trace is final', () => ofTrace().some(({ finality }) => finality === 'finalized'))
    assert.deepEqual([...new Set(ofTrace().map((event) => event.trace_external_hash_norm))], [hashes[0]])
  })
})

/** The ids of the frames that are whole when the connection is cut after so many bytes. */
const readBytes = async (url: string, since: string | undefined, until: number, count: number): Promise<string[]> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ ...everything, since: since ?? { mc_seqno: 1 }, until: { mc_seqno: until } })
  const head = `POST /api/streaming/v2/sse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json`
  socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  let bytes = Buffer.alloc(0)
  socket.on('data', (more) => {
    bytes = Buffer.concat([bytes, more])
    if (bytes.length >= count) socket.destroy()
  })
  socket.on('error', () => undefined)
  await once(socket, 'close')
  const text = bytes.subarray(0, count).toString()
  assert.match(text, /^HTTP\/1\.1 200/)
  const parser = new SseParser()
  // Each frame is one chunk: between them are only the sizes of the chunks.
  parser.push(text.slice(text.indexOf('\r\n\r\n') + 4).replace(/\r\n[0-9a-f]*\r\n|^[0-9a-f]+\r\n/g, ''))
  return parser.frames.filter(({ event }) => event === 'event').map(({ id }) => id!)
}
