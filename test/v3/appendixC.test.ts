import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { beginCell, Cell } from '@ton/core'
import { classifyTrace } from '../../src/actions/classifyTrace.ts'
import { parseRecordedTrace } from '../../src/actions/conformance/RecordedTrace.ts'
import { AccountFacts } from '../../src/actions/trace/AccountFacts.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { addressArgument } from '../../src/contracts/getMethods.ts'
import { jettonTransferBody } from '../../src/devnet/contracts/jettonContracts.ts'
import { commentBody } from '../../src/devnet/contracts/messages.ts'
import { nftItemAddress, nftTransferBody } from '../../src/devnet/contracts/nftContracts.ts'
import { findAddress } from '../../src/devnet/demo/OrderSender.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { toActionRecord } from '../../src/indexer/classify/classifyTraces.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { writeActions } from '../../src/store/writer/actions.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { fixturePath, haveFixtures, readFixture } from '../support/fixtures.ts'
import { openEmbeddedChain } from '../support/indexedNetwork.ts'
import { indexChain } from '../support/indexing.ts'
import { openPackages } from '../support/localnetSources.ts'
import { filled, marker } from '../support/sampleMessages.ts'
import { scriptedCode } from '../support/scriptedCode.ts'
import { cell, int, nothing, slice } from '../support/scriptedMethods.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { openV3Demo, rawText, type V3Demo } from '../support/v3Demo.ts'
import { askBothWays } from '../support/v3Oracle.ts'
import { serveV3, startV3Network, type V3NetworkService } from '../support/v3Service.ts'
import { sendLog } from '../support/v3Traffic.ts'

const GRAM = 1_000_000_000n
const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
const [LIAR, SALE, STRANGE_SALE, OWNERLESS_SALE] = [at(0x57), at(0x51), at(0x53), at(0x54)] as const
const none = slice(new CellWriter().writeUint(0, 2).toCell())
const named = (address: Address | undefined) => (address === undefined ? none : addressArgument(address))
const archive = 'mainnet/archives/mainnet'
const compound = 'actions/traces/d369578f2c079da06e238086ab9e48a5cbb103443940c3a562ca09c228b848d2.json.gz'

const saleOf = (item: Address, owner: Address | undefined) => {
  const end = [int(5 * 10 ** 9), named(at(0x61)), int(5000), none, int(0), int(0), int(0), nothing]
  return scriptedCode({
    get_fix_price_data_v4: [int(0), int(1_700_000_000), named(at(0x60)), named(item), named(owner), ...end],
  })
}

describe('appendix C', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let demo: V3Demo
  let alice: DevAccount
  let bob: DevAccount
  let logger: string
  const endings: (() => unknown)[] = []

  const ask = (name: string, args: object = {}): Promise<Json> => askBothWays(service.url, name, { ...args })
  const request = (destination: Address, body: ReturnType<typeof commentBody>) => ({
    destination,
    value: GRAM / 5n,
    bounce: true,
    body,
  })
  const itemAt = (index: number): Address => nftItemAddress(demo.plan.collection.address, BigInt(index))

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    database = await openFreshDatabase(cleanup)
    // So many shards that the first of them is written with fifteen digits.
    service = await startV3Network(cleanup, database, { network: { shards: 16 } })
    const { controls } = service.network
    for (let merge = 0; merge < 3; merge++) {
      await controls.reshard('merge')
      await controls.mine(6)
    }
    demo = await openV3Demo(service)
    ;[alice, bob] = [demo.plan.accounts[0]!, demo.plan.accounts[1]!]
    logger = await sendLog(service)
    await service.mine(2)
  })

  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  test('1: a message from outside that is not in normal form has two hashes, and both find it', async () => {
    const { transactions } = await ask('transactions', { account: logger, limit: 1 })
    const [{ hash, in_msg }] = transactions
    const body = Cell.fromBase64(in_msg.message_content.body)
    const normal = beginCell()
      .storeUint(0b1000, 4)
      .storeUint(0b100, 3)
      .storeInt(0, 8)
      .storeBuffer(Buffer.from(in_msg.destination.slice(2), 'hex'))
      .storeUint(0b000001, 6)
      .storeRef(body)
      .endCell()
    assert.equal(in_msg.hash_norm, normal.hash().toString('base64'))
    assert.notEqual(in_msg.hash, in_msg.hash_norm)
    assert.ok(in_msg.init_state !== null)
    for (const msg_hash of [in_msg.hash, in_msg.hash_norm]) {
      assert.deepEqual((await ask('transactionsByMessage', { msg_hash })).transactions[0].hash, hash)
      assert.deepEqual((await ask('messages', { msg_hash })).messages[0].hash, in_msg.hash)
      assert.deepEqual((await ask('traces', { msg_hash })).traces[0].trace_id, hash)
    }
    const { messages } = await ask('messages', { source: 'null', limit: 1000 })
    const same = messages.filter((each: Json) => each.init_state === null && !('hash_norm' in each))
    assert.ok(same.length > 0)
    assert.deepEqual((await ask('messages', { msg_hash: same[0].hash })).messages, [same[0]])
  })

  test('2: of the state between two transactions of an account in one block the hash is known alone', async () => {
    const destination = at(0x77)
    const pay = (text: string) => ({ destination, value: GRAM, bounce: false, body: commentBody(text) })
    await demo.send(bob, [pay('one'), pay('two')])
    await demo.settle()
    const { transactions } = await ask('transactions', { account: rawText(destination), sort: 'asc' })
    const [first, second] = transactions
    assert.deepEqual(first.block_ref, second.block_ref)
    const { hash, ...others } = first.account_state_after
    assert.match(hash, /^[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(new Set(Object.values(others)), new Set([null]))
    assert.deepEqual(second.account_state_before, first.account_state_after)
    assert.equal(first.account_state_before.account_status, 'nonexist')
    assert.match(second.account_state_after.balance, /^[0-9]+$/)
  })

  test('3: a jetton wallet that lies about its master is none, and what it is asked for is no transfer', async () => {
    const { jetton } = demo.plan
    const claim = [int(10n ** 20n), named(alice.wallet.address), named(jetton.address), cell(marker(1))]
    await demo.place(LIAR, scriptedCode({ get_wallet_data: claim }))
    const transfer = {
      queryId: 1n,
      amount: 1n,
      destination: bob.wallet.address,
      responseDestination: undefined,
      forwardAmount: 0n,
      forwardPayload: undefined,
    }
    await demo.tell(alice.wallet.address, LIAR, jettonTransferBody(transfer))
    await demo.settle()
    const address = rawText(LIAR)
    assert.deepEqual((await ask('jetton/wallets', { address })).jetton_wallets, [])
    assert.deepEqual((await ask('jetton/transfers', { jetton_wallet: address })).jetton_transfers, [])
    const { messages } = await ask('messages', { destination: address, opcode: '0x0f8a7ea5' })
    assert.equal(messages.length, 1)
  })

  test('4: a trace is silent until its last message has landed, though its transactions name it at once', async () => {
    const { controls } = service.network
    await demo.send(bob, [{ destination: at(0x78), value: GRAM, bounce: false, body: commentBody('late') }])
    await controls.disturb({ kind: 'holdInternal', blocks: 4 })
    await service.mine(2)
    const account = rawText(bob.wallet.address)
    const { transactions } = await ask('transactions', { account, limit: 1 })
    const { trace_id, hash, in_msg } = transactions[0]
    assert.equal(trace_id, hash)
    const questions = [
      { trace_id },
      { tx_hash: hash },
      { msg_hash: in_msg.hash },
      { account, start_lt: transactions[0].lt },
    ]
    for (const question of questions) assert.deepEqual((await ask('traces', question)).traces, [])
    await demo.settle()
    for (const question of questions) {
      const { traces } = await ask('traces', question)
      assert.deepEqual([traces[0].trace_id, traces[0].trace_info.transactions], [trace_id, 2])
      assert.ok(Number(traces[0].mc_seqno_end) - Number(traces[0].mc_seqno_start) >= 4)
    }
  })

  test('5: after splits and merges shards are as the masterchain has them', async (t) => {
    const { blocks } = await ask('blocks', { workchain: 0, limit: 1000, sort: 'asc' })
    assert.ok(
      blocks.some((each: Json) => each.shard === '800000000000000'),
      'fifteen digits',
    )
    const merged = blocks.find((each: Json) => each.after_merge)
    assert.equal(merged.prev_blocks.length, 2)
    assert.ok(blocks.some((each: Json) => each.after_split && each.prev_blocks.length === 1))
    // Here all shards go on with every masterchain block; on the main network some do not, and others by several blocks.
    if (!haveFixtures(t, archive)) return
    const other = await openFreshDatabase(t)
    const blockSets = createBlockSetSource(openPackages(fixturePath(archive)))
    await indexChain(t, { blockSets, states: undefined, zeroState: filled(0), order: 'newestFirst' }, other, { to: 99 })
    const { url } = await serveV3(t, other)
    const idsOf = ({ blocks: rows }: Json): string[] =>
      rows.map((each: Json) => `${each.workchain} ${each.shard} ${each.seqno}`).sort()
    const known = new Map<string, number>()
    let [idle, hasty] = [0, 0]
    for (let seqno = 1; seqno <= 99; seqno++) {
      const tops = idsOf(await askBothWays(url, 'masterchainBlockShardState', { seqno }))
      const included = idsOf(await askBothWays(url, 'masterchainBlockShards', { seqno, limit: 1000 }))
      assert.equal(new Set(tops.map((id) => id.split(' ').slice(0, 2).join())).size, tops.length)
      for (const id of included) known.set(id, seqno)
      for (const id of tops) assert.ok(known.has(id), `${id} is not known by ${seqno}`)
      if (tops.some((id) => known.get(id)! < seqno)) idle++
      if (included.some((id) => !tops.includes(id))) hasty++
    }
    assert.ok(idle > 0 && hasty > 0, `${idle} and ${hasty}`)
    t.diagnostic(`${known.size} blocks of the main network; a shard rests in ${idle}, goes on by several in ${hasty}`)
  })

  test('6: an item is on sale only where the sale names it, and behind a sale of nobody is nobody', async () => {
    await demo.place(SALE, saleOf(itemAt(1), alice.wallet.address))
    await demo.place(STRANGE_SALE, saleOf(itemAt(0), alice.wallet.address))
    await demo.place(OWNERLESS_SALE, saleOf(itemAt(3), undefined))
    const people = new Map(demo.plan.accounts.map((each) => [rawText(each.wallet.address), each]))
    for (const [place, to] of [SALE, STRANGE_SALE, OWNERLESS_SALE].entries()) {
      const owner = findAddress(await demo.runMethod(itemAt(place + 1), 'get_nft_data', []), 3)
      const transfer = {
        queryId: BigInt(place),
        newOwner: to,
        responseDestination: undefined,
        forwardAmount: 0n,
        forwardPayload: undefined,
      }
      await demo.send(people.get(rawText(owner!))!, [request(itemAt(place + 1), nftTransferBody(transfer))])
    }
    await demo.settle()
    const shown = async (index: number): Promise<Json[]> => {
      const [item] = (await ask('nft/items', { address: rawText(itemAt(index)) })).nft_items
      return [item.owner_address, item.on_sale, item.sale_contract_address, item.real_owner]
    }
    assert.deepEqual(await shown(1), [rawText(SALE), true, rawText(SALE), rawText(alice.wallet.address)])
    assert.deepEqual(await shown(2), [rawText(STRANGE_SALE), false, undefined, undefined])
    assert.deepEqual(await shown(3), [rawText(OWNERLESS_SALE), true, rawText(OWNERLESS_SALE), undefined])
  })

  test('7: an opcode of eight digits is hexadecimal', async () => {
    const found = async (opcode: string): Promise<Json[]> =>
      (await ask('messages', { opcode })).messages.map((each: Json) => [each.opcode, each.source])
    assert.deepEqual(await found('12345678'), [[0x1234_5678, logger]])
    assert.deepEqual(await found('305419896'), [[0x1234_5678, logger]])
    assert.deepEqual(await found('0xbc614e'), [])
  })

  test('8: the newest messages first means those from outside first, unless they are left out', async () => {
    const { messages } = await ask('messages', { limit: 1000 })
    const inside = messages.findIndex((each: Json) => each.created_lt !== null)
    assert.ok(inside > 0)
    assert.ok(messages.slice(0, inside).every((each: Json) => each.source === null))
    const lts: bigint[] = messages.slice(inside).map((each: Json) => BigInt(each.created_lt))
    assert.deepEqual(
      lts,
      lts.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)),
    )
    for (const args of [{ exclude_externals: true }, { start_lt: 1 }]) {
      assert.deepEqual((await ask('messages', { ...args, limit: 1 })).messages, [messages[inside]])
    }
  })

  test('9: an indexer that is ended and started again leaves nothing out, nothing twice, and no older state', async (t) => {
    const other = await openFreshDatabase(t)
    const chain = await openEmbeddedChain(t, service.network)
    const head = service.network.controls.getStatus().head.seqno
    // Where a trace is under way, so that it begins before and ends after.
    const { traces } = await ask('traces', { limit: 1000 })
    const long = traces.find((each: Json) => Number(each.mc_seqno_end) - Number(each.mc_seqno_start) >= 4)
    const middle = Number(long.mc_seqno_start) + 1
    await indexChain(t, chain, other, { to: 5 })
    // The newest blocks first, and then those before them.
    await indexChain(t, chain, other, { from: middle, to: head })
    const { logged } = await indexChain(t, chain, other, { to: head })
    assert.deepEqual(logged, [])
    const { url } = await serveV3(t, other)
    const accounts = (await ask('topAccountsByBalance', { limit: 1000 })).map((each: Json) => each.account)
    const questions: [name: string, args: object][] = [
      ['traces', { limit: 1000 }],
      ['transactions', { limit: 1000 }],
      ['messages', { limit: 1000 }],
      ['blocks', { limit: 1000 }],
      ['topAccountsByBalance', { limit: 1000 }],
      ['accountStates', { address: accounts }],
      ['jetton/masters', {}],
      ['jetton/wallets', { limit: 1000 }],
      ['jetton/transfers', { limit: 1000 }],
      ['nft/items', { limit: 1000 }],
      ['nft/transfers', { limit: 1000 }],
      ['multisig/wallets', { address: rawText(demo.plan.multisig.address) }],
      ['vesting', { contract_address: rawText(demo.plan.vesting.address) }],
    ]
    for (const [name, args] of questions) {
      const [ours, theirs] = [service.url, url].map((base) => getV3(`${base}/api/v3`, name, { ...args }))
      assert.deepEqual((await theirs!).body, (await ours!).body, name)
    }
  })

  test('10: an old client sees the parts of what it does not know, a new one the whole, and nobody both', async (t) => {
    if (!haveFixtures(t, compound)) return
    const recorded = parseRecordedTrace(JSON.parse(gunzipSync(readFixture(compound)).toString('utf8')))
    const { trace, accounts } = recorded
    const record = {
      traceId: fromBase64(trace.traceId),
      startLt: trace.transactions[0]!.lt,
      endLt: trace.endLt,
      startUtime: trace.transactions[0]!.now,
      endUtime: trace.endUtime,
      // As if it had happened in a block that is here.
      startSeqno: 1,
      endSeqno: 1,
      transactions: trace.transactions.length,
      messages: trace.transactions.length,
    }
    const { actions } = classifyTrace(trace, new AccountFacts(accounts))
    await database.transaction((client) =>
      writeActions(
        client,
        actions.map((action) => toActionRecord(action, record)),
      ),
    )
    const seen = async (...supported_action_types: string[]): Promise<string[]> =>
      (await ask('actions', { trace_id: trace.traceId, supported_action_types, limit: 1000 })).actions.map(
        ({ type }: Json) => type,
      )
    const [old, newest] = [await seen('v1'), await seen('latest')]
    assert.ok(old.includes('jetton_transfer') && !old.includes('jvault_stake'), old.join())
    assert.ok(newest.includes('jvault_stake') && !newest.includes('jetton_transfer'), newest.join())
    assert.deepEqual(await seen('v1', 'jvault_stake'), newest)
    assert.deepEqual(await seen(), newest)
  })

  test('nothing went wrong inside', async () => assert.deepEqual(service.logLines, []))
})
