import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { getPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { AT_ONCE } from '../../src/cli/serve/slowLane.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { canReadCpu, readCpuMs } from '../support/beside/processTime.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { namedServer } from '../support/databaseServer.ts'
import { amplifyingDictionary, hostileBody } from '../support/hostileMessages.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { serveV3, startV3Network } from '../support/v3Service.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

const addresses = Array.from({ length: 150 }, (_, k) => `address=0:${k.toString(16).padStart(64, '0')}`).join('&')

/** An account that gets messages whose decoded bodies are large. */
const target = `0:${'ab'.repeat(32)}`

/** Requests that take the slow lane, and some that fail there. */
const longRequests = [
  // Few rows, of more than a megabyte.
  `/transactions?account=${target}&limit=50`,
  '/transactions?limit=1000',
  '/transactions?limit=101&sort=asc',
  '/messages?limit=1000',
  '/traces?limit=500&include_actions=true',
  '/actions?limit=500&include_transactions=true',
  '/blocks?limit=300',
  '/jetton/transfers?limit=1000',
  '/transactions?limit=1000&offset=-1',
  '/transactions?limit=1000&account=nonsense',
  `/accountStates?${addresses}`,
  `/addressBook?${addresses}`,
]

/** Processes of slow lanes that this process has started: all, or those that can answer. */
const listLanes = (names = /slowLaneProcess|chaincenter slow lane/): readonly number[] => {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, command] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    return Number(parent) === process.pid && names.test(command!) ? [Number(pid)] : []
  })
}

/** A long request starts the process, and is answered before that is ready. */
const waitForLane = async (url: string): Promise<void> => {
  const ask = async (): Promise<void> => {
    const response = await fetch(`${url}/api/v3/blocks?limit=200`)
    assert.equal(response.status, 200)
    await response.arrayBuffer()
  }
  await Promise.all([ask(), ask()])
  await waitUntil('the slow lane is ready', () => listLanes(/chaincenter slow lane/).length === 1)
  await ask()
}

test('long requests get the same answers from the slow lane', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const network = await startV3Network(t, database, { network: { demo: true } })
  const sent = Array.from({ length: 30 }, (_, k) =>
    network.network.controls.impersonate({
      source: parseAddress(`0:${'cd'.repeat(32)}`),
      destination: parseAddress(target),
      value: { grams: 1_000_000_000n, extra: NO_EXTRA_CURRENCIES },
      bounce: false,
      stateInit: undefined,
      body: amplifyingDictionary(k),
    }),
  )
  await network.mine(6)
  await Promise.all(sent)
  const plain = await serveV3(t, database)
  const lane = await serveV3(t, database, { slowLane: {} })
  assert.equal((await fetch(`${lane.url}/api/v3/transactions?account=${target}&limit=5`)).status, 200)
  assert.equal(listLanes().length, 0, 'short requests need none')
  await waitForLane(lane.url)
  for (const prefix of ['/api/v3', '/ton/api/v3'])
    for (const path of longRequests) {
      const headers = { 'x-seen-seqno': '0' }
      const [expected, actual] = await Promise.all(
        [plain, lane].map(({ url }) => fetch(`${url}${prefix}${path}`, { headers })),
      )
      assert.equal(actual!.status, expected!.status, path)
      assert.equal(await actual!.text(), await expected!.text(), path)
      for (const name of ['x-next-cursor', 'x-indexed-seqno', 'x-seen-seqno', 'content-type'])
        assert.equal(actual!.headers.get(name), expected!.headers.get(name), `${path}: ${name}`)
      assert.equal(listLanes().length, 1, path)
    }
  // Many at once, of which some callers leave: the lane goes on with the others.
  const leaving = Array.from({ length: 10 }, () =>
    fetch(`${lane.url}/api/v3/transactions?limit=1000`, { signal: AbortSignal.timeout(5) }).then(
      (response) => response.text(),
      () => '',
    ),
  )
  const staying = Array.from({ length: 10 }, () => fetch(`${lane.url}/api/v3/blocks?limit=200`))
  await Promise.all(leaving)
  for (const response of await Promise.all(staying)) assert.equal(response.status, 200)
  assert.deepEqual(lane.logLines, [])

  await t.test('a caller who reads slowly gets all of it, and holds up nobody', async () => {
    const path = `/api/v3/transactions?account=${target}&limit=1000`
    const expected = await (await fetch(`${plain.url}${path}`)).text()
    const readers = await Promise.all(Array.from({ length: 3 }, () => begin(`${lane.url}${path}`)))
    for (const { headers } of readers) assert.equal(Number(headers['content-length']), Buffer.byteLength(expected))
    assert.equal((await fetch(`${lane.url}/api/v3/blocks?limit=200`)).status, 200)
    readers[0]!.destroy()
    // Their parts come in turns through one pipe.
    for (const read of await Promise.all(readers.slice(1).map((reader) => text(reader)))) assert.equal(read, expected)
  })

  await t.test('a decode ends at the deadline of its caller there, too', async () => {
    const bodies = Array.from({ length: 420 }, (_, k) => toBase64(encodeBoc([hostileBody(k)])))
    const headers = { 'content-type': 'application/json' }
    const [pid] = listLanes()
    /** Processor time of the lane for a decode. The request after it gets its turn when the lane has ended that. */
    const measure = async (query: string, status: number, more = {}): Promise<number> => {
      const body = JSON.stringify({ ...more, bodies })
      const before = readCpuMs(pid!)
      const response = await fetch(`${lane.url}/api/v3/decode${query}`, { method: 'POST', headers, body })
      assert.equal(response.status, status)
      await response.arrayBuffer()
      await fetch(`${lane.url}/api/v3/blocks?limit=200`).then((next) => next.arrayBuffer())
      return readCpuMs(pid!) - before
    }
    await measure('', 200)
    const whole = await measure('', 200)
    for (const [query, more] of [
      ['?x_timeout=20', {}],
      ['', { x_timeout: 20 }],
    ] as const) {
      const cut = await measure(query, 504, more)
      if (canReadCpu()) assert.ok(cut < whole / 2, `${cut} ms of ${whole} ms`)
    }
  })
})

/** The head of an answer whose body nobody reads yet. */
const begin = (url: string): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    get(url, done).on('error', fail)
  })

test('the slow lane ends when it is idle, and starts again', async (t) => {
  if (!haveDatabase(t)) return
  const isEmbedded = namedServer === undefined
  const database = await openFreshDatabase(t, { isEmbedded })
  await startV3Network(t, database)
  const listBackends = () =>
    database.transaction(async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
      )
      return rows.map(({ pid }) => pid)
    })

  await t.test('after a time without requests', async (part) => {
    const { url, logLines } = await serveV3(part, database, { slowLane: { idleMs: 100 } })
    for (let round = 0; round < 2; round++) {
      let during: readonly number[]
      do {
        await waitForLane(url)
        during = await listBackends()
        // On a busy machine it may have ended before that.
      } while (listLanes().length === 0)
      await waitUntil('the end of the process', () => listLanes().length === 0)
      await waitUntil('the end of its connections', async () => {
        const after = await listBackends()
        return during.some((pid) => !after.includes(pid))
      })
    }
    assert.deepEqual(logLines, [])
  })

  await t.test('while it starts, the service answers one request at a time', async (part) => {
    const { url } = await serveV3(part, database, { slowLane: {} })
    const first = fetch(`${url}/api/v3/blocks?limit=200`)
    await waitUntil('the process', () => listLanes().length === 1)
    const [lane] = listLanes()
    // It does not get ready.
    process.kill(lane!, 'SIGSTOP')
    const more = Array.from({ length: 4 }, () => fetch(`${url}/api/v3/blocks?limit=200`))
    for (const asked of [first, ...more]) assert.equal((await asked).status, 200)
    process.kill(lane!, 'SIGCONT')
    await waitForLane(url)
  })

  await t.test('after a crash, which fails only what it worked on', async (part) => {
    const { url, logLines } = await serveV3(part, database, { slowLane: {} })
    const ask = async (): Promise<number> => {
      const response = await fetch(`${url}/api/v3/blocks?limit=200`)
      await response.arrayBuffer()
      return response.status
    }
    const before = await listBackends()
    await waitForLane(url)
    const [lane] = listLanes()
    if (process.platform === 'linux') {
      const niceness = Math.min(19, getPriority() + 10)
      const threads = readdirSync(`/proc/${lane}/task`).map(Number)
      assert.ok(threads.length > 1)
      assert.deepEqual([...new Set(threads.map((thread) => getPriority(thread)))], [niceness])
      const own = (await listBackends()).filter((pid) => !before.includes(pid))
      if (isEmbedded) assert.ok(own.some((pid) => getPriority(pid) === niceness))
    }
    // A stopped process cannot answer: some requests are with it when it ends, the others wait.
    process.kill(lane!, 'SIGSTOP')
    const asked = Promise.all(Array.from({ length: 6 }, ask))
    await fetch(`${url}/api/v3/masterchainInfo`).then((response) => response.arrayBuffer())
    process.kill(lane!, 'SIGKILL')
    const statuses = Array.from({ length: 6 }, (_, k) => (k < 6 - AT_ONCE ? 200 : 500))
    assert.deepEqual((await asked).sort(), statuses)
    assert.equal(logLines.filter((line) => line.includes('slow lane failed, restarting')).length, 1)
    // What waited was answered by the service. The next request finds a process again.
    await waitUntil('the next process', async () => {
      assert.equal(await ask(), 200)
      return listLanes().some((pid) => pid !== lane)
    })
  })
})
