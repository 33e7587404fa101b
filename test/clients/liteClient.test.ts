import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Address, beginCell, Cell, comment, internal, loadTransaction, SendMode, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { LiteClient, LiteSingleEngine } from 'ton-lite-client'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { echoCode } from './codes.ts'
import { comparePage, PAGE_CHECK } from './comparePage.ts'

const makers = {
  v3r2: (publicKey: Buffer) => WalletContractV3R2.create({ workchain: 0, publicKey }),
  v4r2: (publicKey: Buffer) => WalletContractV4.create({ workchain: 0, publicKey }),
  v5r1: (publicKey: Buffer) => WalletContractV5R1.create({ workchain: 0, publicKey }),
}
type Kind = keyof typeof makers

type Life = { readonly network: RunningNetwork; readonly client: LiteClient }

test('ton-lite-client lives a life on the embedded network', { timeout: 120_000 }, async (t) => {
  const network = await startNetwork({ mining: { mode: 'instant' }, shards: 2 })
  t.after(() => network.close())
  const { host, port, key } = network.liteserver
  const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: Buffer.from(key, 'base64') })
  await once(engine, 'ready')
  t.after(() => engine.close())
  const life: Life = { network, client: new LiteClient({ engine, batchSize: 1 }) }
  const checks = {
    'wallets v3r2, v4r2 and v5r1 are deployed and pay with a comment': () => payFromWallets(life),
    'histories are read page by page': () => readHistory(life),
    'account states, also at an earlier block': () => readStates(life),
    'get-methods take and give values': () => runMethods(life),
    'blocks, shards and their transactions are read': () => readBlocks(life),
    'the configuration is read': () => readConfig(life),
    'refusals arrive as such': () => refuse(life),
  }
  for (const [name, check] of Object.entries(checks)) await t.test(name, check)
  await t.test(PAGE_CHECK, () => comparePage('ton-lite-client', Object.keys(checks)))
})

const receiverOf = (at: number): Address => new Address(0, Buffer.alloc(32, 17 * (at + 1)))

const payFromWallets = async ({ network, client }: Life): Promise<void> => {
  const sent = new Set<string>()
  for (const [at, account] of network.accounts.entries()) {
    const make = makers[account.walletType as Kind]
    if (make === undefined || sent.has(account.walletType)) continue
    sent.add(account.walletType)
    const keys = await mnemonicToPrivateKey(account.mnemonic.split(' '))
    const wallet = make(keys.publicKey)
    assert.equal(wallet.address.toString({ bounceable: false }), account.address)
    const opened = client.open(wallet as WalletContractV4)
    const receiver = receiverOf(at)
    for (const seqno of [0, 1]) {
      await opened.sendTransfer({
        seqno,
        secretKey: keys.secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [internal({ to: receiver, value: toNano('1.5'), bounce: false, body: comment('hello') })],
      })
      await network.controls.mine(4)
      assert.equal(await opened.getSeqno(), seqno + 1)
    }
    const { last } = await client.getMasterchainInfo()
    const received = (await client.getAccountState(receiver, last)).balance.coins
    assert.ok(received > toNano('2.99') && received <= toNano('3'), `${received}`)
  }
  assert.deepEqual([...sent].sort(), ['v3r2', 'v4r2', 'v5r1'])
}

const readHistory = async ({ client }: Life): Promise<void> => {
  const receiver = receiverOf(0)
  const { last } = await client.getMasterchainInfo()
  const { lastTx } = await client.getAccountState(receiver, last)
  const read = async (lt: bigint, hash: Buffer, count: number) => {
    const { transactions } = await client.getAccountTransactions(receiver, lt.toString(), hash, count)
    return Cell.fromBoc(transactions).map((cell) => loadTransaction(cell.beginParse()))
  }
  const newest = Buffer.from(lastTx!.hash.toString(16).padStart(64, '0'), 'hex')
  const all = await read(BigInt(lastTx!.lt), newest, 5)
  assert.equal(all.length, 2)
  assert.deepEqual(all[0]!.hash(), newest)
  const [first] = await read(all[0]!.prevTransactionLt, all[1]!.hash(), 1)
  assert.equal(first!.lt, all[1]!.lt)
  const text = first!.inMessage!.body.beginParse()
  assert.deepEqual([text.loadUint(32), text.loadStringTail()], [0, 'hello'])
}

const readStates = async ({ client }: Life): Promise<void> => {
  const { last } = await client.getMasterchainInfo()
  const now = await client.getAccountState(receiverOf(0), last)
  assert.equal(now.state!.storage.state.type, 'uninit')
  const { id } = await client.lookupBlockByID({ seqno: 2, shard: last.shard, workchain: last.workchain })
  const before = await client.getAccountState(receiverOf(0), id)
  assert.deepEqual([before.state, before.balance.coins], [null, 0n])
  const elector = await client.getAccountState(Address.parse(`-1:${'3'.repeat(64)}`), last)
  assert.equal(elector.state!.storage.state.type, 'active')
}

const runMethods = async ({ network, client }: Life): Promise<void> => {
  const echo = Address.parse(`0:${'e'.repeat(64)}`)
  await network.setBalance(echo, toNano(1))
  await network.setCode(echo, echoCode())
  const { stack } = await client
    .provider(echo, null)
    .get('echo', [
      { type: 'int', value: -(2n ** 256n) },
      { type: 'cell', cell: beginCell().storeUint(7, 8).endCell() },
      { type: 'null' },
      { type: 'tuple', items: [{ type: 'int', value: 1n }, { type: 'null' }] },
    ])
  assert.equal(stack.readBigNumber(), -(2n ** 256n))
  assert.equal(stack.readCell().beginParse().loadUint(8), 7)
  assert.equal(stack.readCellOpt(), null)
  const tuple = stack.readTuple()
  assert.deepEqual([tuple.readNumber(), tuple.remaining], [1, 1])
}

const readBlocks = async ({ network, client }: Life): Promise<void> => {
  const { last, init } = await client.getMasterchainInfo()
  assert.equal(init.workchain, -1)
  const found = new Set<string>()
  // A block is read with the shards of the one before, and the first has none.
  for (let seqno = last.seqno; seqno > 2; seqno--) {
    const full = await client.getFullBlock(seqno)
    assert.equal(full.shards.filter(({ workchain }) => workchain === 0).length <= 2, true)
    for (const { workchain, transactions } of full.shards)
      for (const { account } of transactions) found.add(new Address(workchain, account).toString())
  }
  const alice = Address.parse(network.accounts[0]!.address).toString()
  assert.ok(found.has(alice))
  const { shards } = await client.getAllShardsInfo(last)
  assert.equal(Object.keys(shards['0']!).length, 2)
  const header = await client.getBlockHeader(last)
  assert.equal(header.id.seqno, last.seqno)
  assert.ok((await client.getCurrentTime()) > 0)
}

const readConfig = async ({ client }: Life): Promise<void> => {
  const { last } = await client.getMasterchainInfo()
  const { config } = await client.getConfig(last)
  assert.ok(config !== undefined)
}

const refuse = async ({ network, client }: Life): Promise<void> => {
  const refused = beginCell().storeUint(0, 64).endCell()
  await assert.rejects(client.provider(Address.parse(network.accounts[0]!.address), null).external(refused))
  const { last } = await client.getMasterchainInfo()
  await assert.rejects(client.lookupBlockByID({ ...last, seqno: 2 ** 31 - 1 }))
}
