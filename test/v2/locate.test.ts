import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Cell, loadTransaction, type Message } from '@ton/core'
import { faucetAddress } from '../../src/devnet/contracts/systemContracts.ts'
import { Liteserver } from '../../src/devnet/liteserver/Liteserver.ts'
import { formatGlobalConfig } from '../../src/devnet/replay/formatGlobalConfig.ts'
import { parseGlobalConfig } from '../../src/node/globalConfig.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { readFixture } from '../support/fixtures.ts'
import { listenLite } from '../support/listenLite.ts'
import { stillContext } from '../support/listenStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'
import { isLong } from '../support/testLength.ts'
import { getV2 } from '../support/v2Client.ts'
import { startV2Localnet } from '../support/v2Localnet.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { serveV2, type V2Service } from '../support/v2Service.ts'
import { startV2OverStore } from '../support/v2Store.ts'
import type { Json } from '../support/v3Client.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

type OwnChain = Awaited<ReturnType<typeof createOwnChain>>

const account = (byte: number, workchain = 0) => ({ workchain, hash: new Uint8Array(32).fill(byte) })

/** By what a message is located. */
const routeOf = ({ info }: Message) => {
  assert.ok(info.type === 'internal')
  const [source, destination] = [info.src, info.dest].map((address) => address.toRawString())
  return { source, destination, created_lt: info.createdLt.toString() }
}

/** Every transaction of the chain with the messages that it received and sent, read by an independent library. */
const readTransactions = async ({ url }: V2Service) => {
  const base = `${url}/api/v2`
  const { result: info } = (await getV2(base, 'getMasterchainInfo')).body
  const known: { readonly hash: string; readonly inMsg: Message | undefined; readonly outMsgs: readonly Message[] }[] =
    []
  const seen = new Set<string>()
  for (let seqno = 1; seqno <= info.last.seqno; seqno++) {
    const { shards } = (await getV2(base, 'shards', { seqno })).body.result
    for (const { workchain, shard, seqno: number } of [{ ...info.last, seqno }, ...shards]) {
      const place = { workchain, shard, seqno: number }
      if (number === 0 || seen.has(JSON.stringify(place))) continue
      seen.add(JSON.stringify(place))
      const { result } = (await getV2(base, 'getBlockTransactionsExt', { ...place, count: 10_000 })).body
      for (const { data, transaction_id } of result.transactions) {
        const { inMessage, outMessages } = loadTransaction(Cell.fromBase64(data).beginParse())
        const outMsgs = outMessages.values().filter(({ info: each }) => each.type === 'internal')
        const inMsg = inMessage?.info.type === 'internal' ? inMessage : undefined
        known.push({ hash: transaction_id.hash, inMsg, outMsgs })
      }
    }
  }
  return known
}

describe('v2 finds the transaction of a message in a block of thousands', () => {
  let chain: OwnChain
  let service: V2Service
  const busy = account(0x55)

  before(async () => {
    chain = await createOwnChain({ faucets: 9 })
    const externals = chain.faucets.map((faucet, at) =>
      chain.pay(
        faucet,
        Array.from({ length: 240 }, (_, number) => ({
          destination: number % 8 === 0 ? busy : account(0x80 | (7 * number + at)),
          value: 1_000_000n,
          bounce: false,
        })),
      ),
    )
    await chain.make({ externals })
    for (let blocks = 0; blocks < 3; blocks++) await chain.make()
    service = await startV2OverStore(chain.store)
  })
  after(async () => {
    await service.close()
    await chain.close()
  })

  it('by its result and by its source', async () => {
    const known = await readTransactions(service)
    const received = known.filter(({ inMsg }) => inMsg?.info.dest?.toString().includes('VVVVVVVV'))
    assert.equal(received.length, 270)
    assert.ok(known.length > 2000)
    for (const { hash, inMsg } of received.filter((_, at) => at % 30 === 7)) {
      const route = routeOf(inMsg!)
      const found = await askEveryWay(service.url, 'tryLocateResultTx', route)
      assert.equal(found.transaction_id.hash, hash)
      assert.deepEqual(await askEveryWay(service.url, 'tryLocateTx', route), found)
      const sender = known.find(({ outMsgs }) =>
        outMsgs.some((each) => JSON.stringify(routeOf(each)) === JSON.stringify(route)),
      )
      const source = await askEveryWay(service.url, 'tryLocateSourceTx', route)
      assert.equal(source.transaction_id.hash, sender?.hash)
      assert.ok(source.out_msgs.some((message: Json) => message.created_lt === route.created_lt))
    }
  })

  it('and says so where there is none', async () => {
    const source = formatRawAddress(faucetAddress(chain.faucets[0]!.publicKey))
    const text = 'transaction was not found'
    for (const created_lt of ['0', '1', '3000007', '999999999999', '9223372036854775807']) {
      for (const destination of [
        formatRawAddress(busy),
        formatRawAddress(account(3, -1)),
        formatRawAddress(account(3, 5)),
      ]) {
        const route = { source, destination, created_lt }
        await assertRefused(service.url, 'tryLocateResultTx', route, { status: 404, text }, { ways: ['get'] })
        await assertRefused(service.url, 'tryLocateSourceTx', route, { status: 404, text }, { ways: ['get'] })
      }
    }
    const route = { source, destination: formatRawAddress(busy) }
    const unreadable = { status: 422, text: 'failed to parse get request: failed to parse created_lt' }
    await assertRefused(service.url, 'tryLocateTx', { ...route, created_lt: 'x' }, unreadable)
    const negative = { status: 422, text: 'failed to validate request: created_lt should be non-negative' }
    await assertRefused(service.url, 'tryLocateTx', { ...route, created_lt: -1 }, negative)
  })
})

describe('v2 finds the transaction of a message that was long on its way', () => {
  let chain: OwnChain
  let service: V2Service
  const quiet = account(0x01)
  const busy = account(0x02)
  const master = account(0x03, -1)

  before(async () => {
    chain = await createOwnChain({ faucets: 4, minSplit: 1 })
    const pay = (destination: ReturnType<typeof account>, count: number) =>
      chain.faucets.map((faucet) =>
        chain.pay(
          faucet,
          Array.from({ length: count }, () => ({ destination, value: 20_000_000n, bounce: false })),
        ),
      )
    await chain.make({ externals: pay(quiet, 1), holdInternal: true })
    await chain.make({ externals: pay(busy, 2), holdInternal: true })
    await chain.make({ externals: pay(master, 1), holdInternal: true })
    for (let blocks = 0; blocks < 6; blocks++) await chain.make({ holdInternal: true })
    for (let blocks = 0; blocks < 3; blocks++) await chain.make()
    for (let rounds = 0; rounds < 3; rounds++) await chain.make({ externals: pay(busy, 10) })
    for (let blocks = 0; blocks < 3; blocks++) await chain.make()
    service = await startV2OverStore(chain.store)
  })
  after(async () => {
    await service.close()
    await chain.close()
  })

  it('over split shards and to the masterchain, whether the account is busy or not', async () => {
    const known = await readTransactions(service)
    const counts = new Map<string, number>()
    let longest = 0n
    for (const { hash, inMsg } of known) {
      if (inMsg === undefined) continue
      const route = routeOf(inMsg)
      const { status, body } = await getV2(`${service.url}/api/v2`, 'tryLocateResultTx', route)
      assert.deepEqual([status, body.result?.transaction_id.hash], [200, hash], JSON.stringify(route))
      counts.set(route.destination!, (counts.get(route.destination!) ?? 0) + 1)
      const took = BigInt(body.result.transaction_id.lt) - BigInt(route.created_lt)
      if (took > longest) longest = took
    }
    assert.equal(counts.get(formatRawAddress(quiet)), 4)
    assert.equal(counts.get(formatRawAddress(busy)), 128)
    assert.equal(counts.get(formatRawAddress(master)), 4)
    assert.ok(longest > 6_000_000n, `the longest way took ${longest}`)
    for (const { hash, outMsgs } of known) {
      for (const message of outMsgs.slice(-2)) {
        const { body } = await getV2(`${service.url}/api/v2`, 'tryLocateSourceTx', routeOf(message))
        assert.equal(body.result?.transaction_id.hash, hash)
      }
    }
  })
})

describe('v2 tells in few steps that there is no such message', () => {
  it('to an account that never was, one that is quiet and one that is busy', async (t) => {
    const chain = await createOwnChain({ faucets: 4 })
    t.after(() => chain.close())
    const [never, quiet, busy] = [account(0x11), account(0x12), account(0x13)]
    const pay = (destination: ReturnType<typeof account>, count: number) =>
      chain.faucets.map((faucet) =>
        chain.pay(
          faucet,
          Array.from({ length: count }, () => ({ destination, value: 20_000_000n, bounce: false })),
        ),
      )
    await chain.make({ externals: pay(quiet, 1) })
    const middle = chain.store.head!.endLt
    for (let blocks = 0; blocks < 60; blocks++) {
      await chain.make(blocks % 3 === 0 ? { externals: pay(busy, 2) } : undefined)
    }
    let asked = 0
    const liteserver = new Liteserver(stillContext(chain.store), { logger })
    const server = await listenLite((data) => {
      const { wait, call } = decodeLiteQuery(data)
      // What follows the head belongs to no request.
      if (wait === undefined && !call.kind.startsWith('liteServer.getMasterchainInfo')) asked++
      return liteserver.answer(data).catch(() => undefined)
    })
    t.after(() => server.close())
    const config = parseGlobalConfig(formatGlobalConfig(server, chain.store.zeroState, undefined), 'a chain of a test')
    const service = await serveV2({ ...config, liteServers: [server] })
    t.after(() => service.close())
    const source = formatRawAddress(faucetAddress(chain.faucets[0]!.publicKey))
    const counts: { [name: string]: number } = {}
    for (const [name, destination] of Object.entries({ never, quiet, busy })) {
      for (const method of ['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx']) {
        for (const lt of [0n, 1_000_001n, middle + 7n]) {
          asked = 0
          const route = { source, destination: formatRawAddress(destination), created_lt: String(lt) }
          const refusal = { status: 404, text: 'transaction was not found' }
          await assertRefused(service.url, method, route, refusal, { ways: ['get'] })
          counts[`${method} ${name}`] = Math.max(counts[`${method} ${name}`] ?? 0, asked)
        }
      }
    }
    t.diagnostic(JSON.stringify(counts))
    for (const [name, count] of Object.entries(counts)) {
      // Two questions for each of the original's three blocks, and the account now and later with a page of its history.
      const most = name.endsWith('busy') ? 32 : 16
      assert.ok(count <= most, `${name} took ${count} questions to the node`)
    }
  })
})

type Recorded = {
  readonly hash: string
  readonly in_msg?: RecordedMessage | null
  readonly out_msgs: readonly RecordedMessage[]
}
type RecordedMessage = {
  readonly type: string
  readonly src: string
  readonly dest: string
  readonly created_lt: string
}

describe('v2 finds transactions of the recorded network', () => {
  it('through its splits and its merge, in both chains', async (t) => {
    const service = await startV2Localnet()
    t.after(() => service.close())
    const lines = Buffer.from(readFixture('localnet/transactions.jsonl')).toString('utf8').trim().split('\n')
    const recorded = lines.map((line) => JSON.parse(line) as Recorded)
    const asked = { tryLocateResultTx: 0, tryLocateSourceTx: 0 }
    const locate = async (name: keyof typeof asked, { src, dest, created_lt }: RecordedMessage, hash: string) => {
      const route = { source: src, destination: dest, created_lt }
      const { body } = await getV2(`${service.url}/api/v2`, name, route)
      const found = Buffer.from(body.result?.transaction_id.hash ?? '', 'base64').toString('hex')
      assert.equal(found, hash, `${name} ${JSON.stringify(route)}`)
      asked[name]++
    }
    // All messages take a minute.
    const every = isLong ? 1 : 27
    let number = 0
    for (const { hash, in_msg, out_msgs } of recorded) {
      if (in_msg?.type === 'internal' && ++number % every === 0) await locate('tryLocateResultTx', in_msg, hash)
      for (const message of out_msgs) {
        if (message.type === 'internal' && ++number % every === 0) await locate('tryLocateSourceTx', message, hash)
      }
    }
    t.diagnostic(JSON.stringify(asked))
    assert.ok(asked.tryLocateResultTx > 50 && asked.tryLocateSourceTx > 50)
  })
})
