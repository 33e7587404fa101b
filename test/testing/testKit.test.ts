import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Address, beginCell, Cell, external, internal, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import {
  type OpenedContract,
  type RunningNetwork,
  startNetwork,
  type TestWallet,
} from '../../src/cli/dev/startNetwork.ts'
import { assertNoTransaction, assertTransaction, findTransaction, GetMethodError } from '../../src/testing/matchers.ts'
import { Counter, counterCode } from './counter/Counter.ts'

let network: RunningNetwork
let alice: TestWallet
let counter: OpenedContract<Counter>

const newCounter = (id: number): OpenedContract<Counter> =>
  network.open(Counter.createFromConfig({ id, counter: 0, owner: alice.address }))

before(async () => {
  network = await startNetwork({ mining: { mode: 'manual' } })
  alice = await network.wallet('alice')
  counter = newCounter(1)
  await counter.sendDeploy(alice.getSender(), toNano(1))
})
after(() => network.close())

test('accounts can be read before any block is asked for, with manual mining', async () => {
  const fresh = await startNetwork({ mining: { mode: 'manual' }, http: false })
  try {
    assert.equal(await fresh.getBalance(fresh.accounts[0]!.address), toNano(1_000_000))
    assert.equal(fresh.url, undefined)
    assert.throws(() => fresh.client, /without HTTP/)
  } finally {
    await fresh.close()
  }
})

test('the service is started by the first request, and the client is typed', async () => {
  const { balance, state } = await network.client.v2.getAddressInformation({ address: counter.address.toString() })
  assert.equal(state, 'active')
  assert.equal(BigInt(balance), await network.getBalance(counter.address))
  const { utime } = await network.client.dev.status()
  assert.equal(utime, network.controls.getStatus().utime)
})

test('addresses are taken as text in any form and as an Address', async () => {
  const address = new Address(0, Buffer.alloc(32, 7))
  const forms = [address, address.toString(), address.toRawString(), { workchain: 0, hash: new Uint8Array(32).fill(7) }]
  for (const [at, form] of forms.entries()) {
    await network.controls.faucet(form, toNano(1))
    await network.controls.mine(1)
    // Storage costs a little where a second has passed.
    assert.ok(BigInt(at + 1) * toNano(1) - (await network.getBalance(form)) < 1000n)
  }
  await network.controls.setAccount({ address: address.toString(), balance: undefined, state: { kind: 'none' } })
  assert.equal(await network.getBalance(address), 0n)
  await assert.rejects(network.controls.faucet('EQnonsense', 1n), /Expected an address/)
})

test('balance, code and storage of any account can be set', async () => {
  const other = newCounter(2)
  await network.setBalance(other.address, toNano(5))
  await network.setCode(other.address, Cell.fromBase64(counterCode))
  const data = beginCell().storeUint(2, 32).storeUint(40, 32).storeAddress(alice.address).endCell()
  await network.setStorage(other.address.toString(), data.toBoc())
  assert.equal(await network.getBalance(other.address), toNano(5))
  assert.deepEqual([await other.getID(), await other.getCounter()], [2, 40])
  await other.sendIncrease(alice.getSender(), { increaseBy: 2, value: toNano('0.1') })
  assert.equal(await other.getCounter(), 42)
})

test('wallets of one name are the same; new ones are funded and send several messages at once', async () => {
  const [one, again] = await Promise.all([network.wallet('zoe'), network.wallet('zoe')])
  assert.equal(one, again)
  assert.equal(await one.getBalance(), toNano(1_000_000))
  assert.equal(await (await network.wallet('poor', { balance: 1n })).getBalance(), 1n)
  const to = counter.address
  const result = await one.sendMessages([1, 2].map((value) => ({ to, value: toNano(value) })))
  assert.equal(result.transactions.length, 3)
  const [root, ...sent] = result.transactions
  assert.deepEqual(root!.children, sent)
  assert.ok(sent.every(({ parent }) => parent === root))
})

test('every kind of wallet sends, also several messages without waiting', async () => {
  const names = ['alice', 'bob', 'frank', 'grace']
  const wallets = await Promise.all(names.map((name) => network.wallet(name)))
  const start = await counter.getCounter()
  await Promise.all(
    [...wallets, ...wallets].map((wallet) =>
      counter.sendIncrease(wallet.getSender(), { increaseBy: 1, value: toNano('0.1') }),
    ),
  )
  assert.equal(await counter.getCounter(), start + 8)
})

test('messages come from any address', async () => {
  const nobody = new Address(0, Buffer.alloc(32, 9))
  const { transactions } = await counter.sendIncrease(network.sender(nobody), { increaseBy: 1, value: toNano('0.1') })
  const increase = assertTransaction(transactions, { from: nobody, to: counter.address, success: true })
  assert.ok(increase.description.type === 'generic')
  assertTransaction(transactions, { from: counter.address, to: nobody, op: 0xd53276db })
  const reset = { from: nobody, to: counter.address, aborted: true, exitCode: 401, actionResultCode: undefined }
  const refused = await counter.sendReset(network.sender(nobody.toString()), toNano('0.1'))
  assertTransaction(refused, reset)
  assertNoTransaction(refused, { ...reset, exitCode: 402 })
  assert.equal(findTransaction(refused, { deploy: true }), undefined)
})

test('events and messages that leave the chain are listed', async () => {
  const fresh = newCounter(3)
  const { events, externals } = await fresh.sendDeploy(alice.getSender(), toNano('0.1'))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message_sent', 'account_created'],
  )
  assert.deepEqual(externals, [])
})

test('external messages that nobody accepts fail, and say why', async () => {
  const message = external({ to: counter.address, body: beginCell().storeUint(1, 32).endCell() })
  await assert.rejects(network.sendMessage(message), /exitcode=11/)
  const cell = beginCell().store(storeMessage(message)).endCell()
  await assert.rejects(network.sendMessage(cell), /exitcode=11/)
})

test('get-methods that fail have an exit code', async () => {
  const provider = network.provider(counter.address)
  await assert.rejects(
    provider.get('nothing', []),
    (error) => error instanceof GetMethodError && error.exitCode === 11 && /Got exit_code: 11/.test(error.message),
  )
  await assert.rejects(newCounter(99).getCounter(), /deploy the contract first/)
})

test('a provider gives state and transactions', async () => {
  const provider = network.provider(counter.address)
  const { balance, last, state } = await provider.getState()
  assert.equal(balance, await network.getBalance(counter.address))
  assert.ok(state.type === 'active' && last !== null)
  assert.ok(Cell.fromBoc(state.code!)[0]!.equals(Cell.fromBase64(counterCode)))
  const transactions = await provider.getTransactions(counter.address, last.lt, last.hash, 100)
  assert.ok(transactions.length > 5)
  assertTransaction(transactions.at(-1)!, { deploy: true })
  const reopened = provider.open(Counter.createFromAddress(counter.address))
  assert.equal(await reopened.getID(), 1)
})

test('time moves on request, and snapshots are taken back', async () => {
  const value = await counter.getCounter()
  const { id } = await network.controls.snapshot()
  await network.controls.moveClock(86_400)
  const { transactions } = await counter.sendIncrease(alice.getSender(), { increaseBy: 5, value: toNano('0.1') })
  assert.ok(transactions[0]!.now - Math.floor(Date.now() / 1000) > 86_000)
  await network.controls.revert(id)
  assert.equal(await counter.getCounter(), value)
})

test('wallets of @ton/ton send through the network', async () => {
  const { publicKey, secretKey } = await mnemonicToPrivateKey(network.accounts[0]!.mnemonic.split(' '))
  const wallet = network.open(WalletContractV4.create({ workchain: 0, publicKey }))
  assert.ok(wallet.address.equals(alice.address))
  const seqno = await wallet.getSeqno()
  const messages = [internal({ to: counter.address, value: toNano(1), bounce: false })]
  const { transactions, result } = await wallet.sendTransfer({ seqno, secretKey, messages })
  assert.equal(result, undefined)
  assertTransaction(transactions, { from: wallet.address, to: counter.address, success: true })
  const increase = await counter.sendIncrease(wallet.sender(secretKey), { increaseBy: 1, value: toNano('0.1') })
  assertTransaction(increase, { from: wallet.address, to: counter.address, success: true })
})

test('with a start time the same test makes the same blocks', async () => {
  const makeBlocks = async (): Promise<string> => {
    const still = await startNetwork({ mining: { mode: 'manual' }, startTime: 1_800_000_000, http: false })
    try {
      const deployer = await still.wallet('deployer')
      const made = still.open(Counter.createFromConfig({ id: 5, counter: 0, owner: deployer.address }))
      await made.sendDeploy(deployer.getSender(), toNano(1))
      return Buffer.from(still.controls.getStatus().head.rootHash).toString('hex')
    } finally {
      await still.close()
    }
  }
  assert.equal(await makeBlocks(), await makeBlocks())
})

test('contracts of a forked network are opened and changed without changing it', async () => {
  const { host, port, key } = network.liteserver
  const value = await counter.getCounter()
  const fork = await startNetwork({ fork: `${host}:${port}:${key}`, mining: { mode: 'manual' }, http: false })
  try {
    const forked = fork.open(Counter.createFromAddress(counter.address))
    assert.equal(await forked.getCounter(), value)
    assert.equal(await fork.getBalance(counter.address), await network.getBalance(counter.address))
    const wallet = await fork.wallet('someone')
    const result = await forked.sendIncrease(wallet.getSender(), { increaseBy: 3, value: toNano('0.1') })
    assertTransaction(result, { to: counter.address, success: true })
    assert.equal(await forked.getCounter(), value + 3)
    await fork.setStorage(
      counter.address,
      beginCell().storeUint(1, 32).storeUint(9, 32).storeAddress(alice.address).endCell(),
    )
    assert.deepEqual([await forked.getCounter(), await counter.getCounter()], [9, value])
  } finally {
    await fork.close()
  }
})

test('with instant mining a trace is waited for', async () => {
  await network.controls.setMining({ mode: 'instant' })
  try {
    const { transactions } = await counter.sendIncrease(alice.getSender(), { increaseBy: 5, value: toNano('0.1') })
    assert.equal(transactions.length, 3)
  } finally {
    await network.controls.setMining({ mode: 'manual' })
  }
})
