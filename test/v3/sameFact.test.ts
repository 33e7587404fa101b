import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Cell } from '@ton/core'
import { createRandom } from '../../src/devnet/demo/DemoStep.ts'
import { findAddress, findInt } from '../../src/devnet/demo/OrderSender.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { filled } from '../support/sampleMessages.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV2 } from '../support/v2Client.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { openV3Demo, rawText, type V3Demo } from '../support/v3Demo.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

/** Another one may be given; it is said in the end. */
const SEED = Number(process.env['SEED'] ?? 11) % 256
const STEPS = 30
const SOME = 12

const compare = (a: bigint | number | string, b: bigint | number | string): number => (a < b ? -1 : a > b ? 1 : 0)
const groupBy = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  return groups
}
/** Bags of the same cells may differ in how they are written. */
const rootHash = (boc: string): string => (boc === '' ? '' : Cell.fromBase64(boc).hash().toString('hex'))
const hashesOf = (rows: readonly Json[]): string[] => rows.map(({ hash }) => hash)
const sorted = <T extends bigint | number | string>(values: Iterable<T>): T[] => [...values].sort(compare)

describe('v3: the same fact by different roads', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let demo: V3Demo
  /** Every transaction, the newest first. */
  const all: Json[] = []
  let byHash = new Map<string, Json>()
  const endings: (() => unknown)[] = []
  const random = createRandom(filled(SEED))
  const some = <T>(rows: readonly T[], count = SOME): T[] =>
    rows.length <= count ? [...rows] : Array.from({ length: count }, () => random.pick(rows))

  const test = (name: string, work: () => Promise<void>): void =>
    void it(name, async (t) => {
      t.diagnostic(`seed ${SEED}`)
      await work()
    })
  const ask = async (name: string, args: object = {}): Promise<Json> => {
    const { status, body } = await getV3(`${service.url}/api/v3`, name, { limit: 1000, ...args })
    assert.equal(status, 200, `${name} ${JSON.stringify(args).slice(0, 300)}: ${JSON.stringify(body)}`)
    return body
  }
  /** Without what stands beside. */
  const list = async (name: string, args: object = {}): Promise<Json[]> => {
    const body = await ask(name, { x_no_address_book: 1, x_no_metadata: 1, ...args })
    return Array.isArray(body) ? body : (Object.values(body)[0] as Json[])
  }
  const askV2 = async (name: string, args: object): Promise<Json> => {
    const { body } = await getV2(`${service.url}/api/v2`, name, { ...args })
    assert.equal(body.ok, true, `${name} ${JSON.stringify(args)}: ${JSON.stringify(body)}`)
    return body.result
  }

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    database = await openFreshDatabase(cleanup)
    service = await startV3Network(cleanup, database, { network: { shards: 2 } })
    demo = await openV3Demo(service, SEED)
    for (let step = 0; step < STEPS; step++) {
      await demo.traffic.step()
      // Now and then several things are in one block, and now and then a block is empty.
      const blocks = random.int(3)
      if (blocks > 0) await service.network.controls.mine(blocks)
    }
    await demo.settle()
    for (let tries = 0; ; tries++) {
      const { rows } = await database.transaction((client) => client.query('SELECT 1 FROM unclassified_blocks LIMIT 1'))
      if (rows.length === 0) break
      assert.ok(tries < 600, 'not classified in time')
      await delay(50)
    }
    let offset = 0
    for (let page: Json[] = [{}]; page.length > 0; offset += 1000) {
      page = await list('transactions', { offset })
      all.push(...page)
    }
    byHash = new Map(all.map((each) => [each.hash, each]))
    assert.equal(byHash.size, all.length)
  })

  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  test('transactions by account, by block and by hash', async () => {
    const accounts = groupBy(all, ({ account }) => account)
    for (const [account, own] of some([...accounts])) {
      assert.deepEqual(await list('transactions', { account }), own, account)
      const times = own.map(({ now }) => now)
      const window = { start_utime: Math.min(...times), end_utime: Math.max(...times) }
      assert.deepEqual(await list('transactions', { account, ...window }), own, account)
    }
    const blocks = groupBy(all, ({ mc_block_seqno }) => String(mc_block_seqno))
    const { last } = await ask('masterchainInfo')
    for (let seqno = 1; seqno <= last.seqno; seqno += 1 + random.int(3)) {
      const own = blocks.get(String(seqno)) ?? []
      assert.deepEqual(await list('transactionsByMasterchainBlock', { seqno }), own, String(seqno))
      const included = await list('masterchainBlockShards', { seqno })
      assert.equal(
        included.reduce((sum, { tx_count }) => sum + tx_count, 0),
        own.length,
      )
    }
    for (const [, own] of some([...groupBy(all, ({ block_ref }) => JSON.stringify(block_ref))])) {
      const { workchain, shard, seqno } = own[0].block_ref
      assert.deepEqual(await list('transactions', { workchain, shard, seqno }), own)
    }
    const hashes = some(hashesOf(all), 100)
    assert.deepEqual(sorted(hashesOf(await list('transactions', { hash: hashes }))), sorted(new Set(hashes)))
  })

  test('transactions by message, and messages by transaction', async () => {
    const received = all.filter(({ in_msg }) => in_msg !== null)
    const sender = new Map<string, string>(
      all.flatMap(({ hash, out_msgs }) => out_msgs.map((each: Json) => [each.hash, hash])),
    )
    for (const { hash, in_msg } of some(received)) {
      const from = sender.get(in_msg.hash)
      const found = async (direction?: string): Promise<string[]> =>
        sorted(hashesOf(await list('transactionsByMessage', { msg_hash: in_msg.hash, direction })))
      assert.deepEqual(await found('in'), [hash])
      assert.deepEqual(await found('out'), from === undefined ? [] : [from])
      assert.deepEqual(await found(), sorted([hash, ...(from === undefined ? [] : [from])]))
      const [message] = await list('messages', { msg_hash: in_msg.hash })
      const { in_msg_tx_hash, out_msg_tx_hash, ...shown } = message
      assert.deepEqual([in_msg_tx_hash, out_msg_tx_hash], [hash, from])
      assert.deepEqual(shown, in_msg)
      if (from !== undefined) {
        assert.deepEqual(
          byHash.get(from).out_msgs.find((each: Json) => each.hash === in_msg.hash),
          in_msg,
        )
      }
    }
    for (const [account, own] of some([...groupBy(received, ({ account: each }) => each)], 8)) {
      assert.deepEqual(
        sorted(hashesOf(await list('messages', { destination: account }))),
        sorted(own.map(({ in_msg }) => in_msg.hash)),
      )
      const sent = all.filter((each) => each.account === account).flatMap(({ out_msgs }) => hashesOf(out_msgs))
      assert.deepEqual(sorted(hashesOf(await list('messages', { source: account }))), sorted(sent))
    }
  })

  test('transactions by trace, and what is before and after them', async () => {
    const traces = await list('traces')
    const members = groupBy(all, ({ trace_id }) => trace_id)
    assert.deepEqual(sorted(traces.map(({ trace_id }) => trace_id)), sorted(members.keys()))
    for (const { trace_id, transactions, transactions_order } of traces) {
      const own = members.get(trace_id)!
      assert.deepEqual(transactions, Object.fromEntries(own.map((each) => [each.hash, each])))
      assert.deepEqual(sorted(transactions_order as string[]), sorted(hashesOf(own)))
    }
    for (const { account, hash, in_msg, trace_id } of some(all)) {
      for (const question of [{ tx_hash: hash }, ...(in_msg === null ? [] : [{ msg_hash: in_msg.hash }])]) {
        assert.deepEqual(
          (await list('traces', question)).map((each) => each.trace_id),
          [trace_id],
        )
      }
      const through = new Set(all.filter((each) => each.account === account).map((each) => each.trace_id))
      assert.deepEqual(sorted((await list('traces', { account })).map((each) => each.trace_id)), sorted(through))
    }
    const receiver = new Map(all.flatMap(({ hash, in_msg }) => (in_msg === null ? [] : [[in_msg.hash, hash]])))
    const parentOf = (hash: string) =>
      all.filter(({ out_msgs }) => out_msgs.some((each: Json) => receiver.get(each.hash) === hash))
    for (const { hash, out_msgs } of some(all)) {
      const children = out_msgs.flatMap((each: Json) => receiver.get(each.hash) ?? [])
      for (const [direction, expected] of [
        ['in', hashesOf(parentOf(hash))],
        ['out', children],
      ] as const) {
        const { status, body } = await getV3(`${service.url}/api/v3`, 'adjacentTransactions', { hash, direction })
        if (expected.length === 0) assert.equal(status, 404)
        else assert.deepEqual(sorted(hashesOf(body.transactions)), sorted(expected as string[]))
      }
    }
  })

  test('balances and states, from everywhere that tells of them', async () => {
    const top = await list('topAccountsByBalance')
    const accounts: string[] = top.map(({ account }) => account)
    assert.deepEqual(sorted(new Set(all.map(({ account }) => account))), sorted(accounts))
    const states = new Map((await list('accountStates', { address: accounts })).map((each) => [each.address, each]))
    const wallets = new Map((await list('walletStates', { address: accounts })).map((each) => [each.address, each]))
    assert.equal(states.size, accounts.length)
    const newest = new Map(all.toReversed().map((each) => [each.account, each]))
    for (const { account, balance } of top) {
      const state = states.get(account)
      const wallet = wallets.get(account)
      const last = newest.get(account)
      assert.deepEqual([state.balance, wallet.balance], [balance, balance], account)
      assert.deepEqual([state.last_transaction_hash, state.last_transaction_lt], [last.hash, last.lt], account)
      const { hash, balance: left, account_status, code_hash, data_hash } = last.account_state_after
      assert.deepEqual(
        [hash, left, account_status, code_hash, data_hash],
        [state.account_state_hash, balance, state.status, state.code_hash ?? null, state.data_hash ?? null],
        account,
      )
      assert.equal(last.end_status, state.status)
    }
    for (const { account, balance } of some(top)) {
      const state = states.get(account)
      const live = await askV2('getAddressInformation', { address: account })
      assert.equal(String(live.balance), balance)
      for (const [theirs, ours] of [
        [live.code, state.code_boc],
        [live.data, state.data_boc],
      ]) {
        assert.equal(rootHash(theirs), rootHash(ours ?? ''), account)
      }
      const { hash, lt } = live.last_transaction_id
      // The chain has forgotten who is gone; the index has not.
      if (state.status !== 'nonexist') {
        assert.deepEqual([hash, lt], [state.last_transaction_hash, state.last_transaction_lt], account)
      }
      assert.equal(String(await askV2('getAddressBalance', { address: account })), balance)
      const old = await ask('addressInformation', { address: account })
      assert.deepEqual(
        [old.balance, old.status, old.last_transaction_hash],
        [balance, state.status, state.last_transaction_hash],
      )
      const asked = await getV3(`${service.url}/api/v3`, 'walletInformation', { address: account })
      const wallet = wallets.get(account)
      assert.equal(asked.status, wallet.is_wallet || state.status === 'uninit' ? 200 : 409, account)
      if (asked.status === 200) {
        assert.deepEqual([asked.body.balance, asked.body.seqno], [balance, wallet.seqno], account)
      }
    }
  })

  test('balances of jettons: of wallets, of their masters, of contracts, and after every transfer', async () => {
    const wallets = await list('jetton/wallets')
    const masters = await list('jetton/masters')
    assert.ok(masters.length > 0 && wallets.length > 2)
    for (const { address, total_supply } of masters) {
      const own = wallets.filter(({ jetton }) => jetton === address)
      assert.equal(
        own.reduce((sum, { balance }) => sum + BigInt(balance), 0n),
        BigInt(total_supply),
      )
      assert.deepEqual(await list('jetton/wallets', { jetton_address: address }), own)
      assert.equal(findInt(await demo.runMethod(parseAddress(address), 'get_jetton_data', []), 0), BigInt(total_supply))
    }
    for (const [owner, own] of groupBy(wallets, (each) => each.owner)) {
      assert.deepEqual(await list('jetton/wallets', { owner_address: owner }), own)
    }
    const { metadata } = await ask('accountStates', { address: wallets.map(({ address }) => address) })
    for (const { address, balance, owner, jetton } of wallets) {
      const told = await demo.runMethod(parseAddress(address), 'get_wallet_data', [])
      assert.equal(findInt(told, 0), BigInt(balance), address)
      assert.equal(rawText(findAddress(told, 1)!), owner)
      assert.deepEqual(metadata[address].token_info[0].extra, { owner, jetton, balance })
    }
    const transfers = await list('jetton/transfers')
    const actions = await list('actions', { action_type: 'jetton_transfer' })
    for (const transfer of transfers) {
      const transaction = byHash.get(transfer.transaction_hash)
      assert.deepEqual(
        [transaction.account, transaction.lt, transaction.now, transaction.trace_id, transaction.in_msg.source],
        [transfer.source_wallet, transfer.transaction_lt, transfer.transaction_now, transfer.trace_id, transfer.source],
      )
      const action = actions.find((each) => each.transactions.includes(transfer.transaction_hash))
      assert.ok(action !== undefined, `no action of ${transfer.transaction_hash}`)
      assert.deepEqual(
        [action.details.amount, action.details.sender, action.details.receiver, action.details.asset],
        [transfer.amount, transfer.source, transfer.destination, transfer.jetton_master],
      )
    }
    assert.ok(transfers.length > 0)
  })

  test('owners of items: by item, by owner, by contract, and by the last transfer', async () => {
    const items = await list('nft/items')
    assert.ok(items.length > 4)
    const byAddress = new Map(items.map((each) => [each.address, each]))
    for (const [owner, own] of groupBy(items, (each) => each.owner_address)) {
      const found = await list('nft/items', { owner_address: owner })
      assert.deepEqual(sorted(found.map(({ address }) => address)), sorted(own.map(({ address }) => address)), owner)
      for (const item of found) assert.deepEqual(item, byAddress.get(item.address))
    }
    for (const { address, owner_address, index, collection_address } of items) {
      const told = await demo.runMethod(parseAddress(address), 'get_nft_data', [])
      assert.deepEqual([rawText(findAddress(told, 3)!), findInt(told, 1)], [owner_address, BigInt(index)], address)
      assert.deepEqual(
        (await list('nft/items', { collection_address, index })).map((each) => each.address),
        [address],
      )
      const transfers = await list('nft/transfers', { item_address: address })
      const done = transfers.filter(({ transaction_aborted }) => !transaction_aborted)
      if (done.length > 0) assert.equal(done[0].new_owner, owner_address, address)
      for (const { transaction_hash, trace_id, old_owner } of transfers) {
        const transaction = byHash.get(transaction_hash)
        assert.deepEqual(
          [transaction.account, transaction.trace_id, transaction.in_msg.source],
          [address, trace_id, old_owner],
        )
      }
    }
  })

  test('actions by trace, by account, by transaction and by block', async () => {
    const actions = await list('actions', { include_accounts: 1 })
    const withActions = await list('traces', { include_actions: 1 })
    const idOf = ({ trace_id, action_id }: Json): string => `${trace_id} ${action_id}`
    const expect = async (args: object, isExpected: (action: Json) => boolean): Promise<void> =>
      assert.deepEqual(
        await list('actions', { ...args, include_accounts: 1 }),
        actions.filter(isExpected),
        JSON.stringify(args),
      )
    assert.deepEqual(
      sorted(withActions.flatMap((each) => each.actions.map(idOf) as string[])),
      sorted(actions.map(idOf)),
    )
    assert.deepEqual(await list('events'), withActions)
    for (const account of some([...new Set<string>(actions.flatMap(({ accounts }) => accounts))], 10)) {
      await expect({ account }, ({ accounts }) => accounts.includes(account))
    }
    for (const { trace_id, action_id, transactions, trace_mc_seqno_end } of some(actions, 10)) {
      await expect({ trace_id }, (each) => each.trace_id === trace_id)
      await expect({ action_id }, (each) => each.action_id === action_id)
      await expect({ tx_hash: transactions[0] }, (each) => each.transactions.includes(transactions[0]))
      await expect({ mc_seqno: trace_mc_seqno_end }, (each) => each.trace_mc_seqno_end === trace_mc_seqno_end)
    }
  })

  test('nothing went wrong inside', async () => assert.deepEqual(service.logLines, []))
})
