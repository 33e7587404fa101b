import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { beginCell, contractAddress, loadTransaction, Cell as OtherCell } from '@ton/core'
import { type ClientNetwork, startClientNetwork, until } from './clientNetwork.ts'
import { echoCode, valuesCode } from './codes.ts'
import { comparePage, PAGE_CHECK } from './comparePage.ts'

// Its types say that it has a default export, which it has not.
const TonWeb = createRequire(import.meta.url)('tonweb') as typeof import('tonweb')['default']
type TonWeb = InstanceType<typeof TonWeb>
type Wallet = InstanceType<(typeof TonWeb.Wallets.all)['v4R2']>

const { BN, bytesToBase64, base64ToBytes, nacl, toNano } = TonWeb.utils
const { Cell } = TonWeb.boc
const keys = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(9))

const FIRST_BLOCK = 100

type Life = {
  readonly network: ClientNetwork
  readonly tonweb: TonWeb
  readonly wallet: Wallet
  readonly address: string
}

test('tonweb lives a life on the embedded network', { timeout: 120_000 }, async (t) => {
  const network = await startClientNetwork(t, { mining: { mode: 'interval', intervalMs: 200, emptyBlocks: true } })
  const tonweb = new TonWeb(new TonWeb.HttpProvider(network.endpoint))
  // It compares times of blocks as texts, which have the same length only from some block on.
  await network.controls.mine(FIRST_BLOCK)
  const wallet = new TonWeb.Wallets.all.v4R2(tonweb.provider, { publicKey: keys.publicKey })
  const address = (await wallet.getAddress()).toString(true, true, false)
  const life: Life = { network, tonweb, wallet, address }
  const checks = {
    'a wallet that nobody has heard of receives money': () => receiveFirst(life),
    'it is deployed, for the fee that was estimated': () => deployWallet(life),
    'it pays with a comment, for the fee that was estimated': () => payWithComment(life),
    'the wallet is known for what it is': () => readWallet(life),
    'the message is followed to both of its ends': () => locateTransactions(life),
    'get-methods take and give all kinds of values': () => runMethods(life),
    'the configuration is read': () => readConfig(life),
    'the subscription to blocks sees every block, and in them the payment': () => watchBlocks(life),
    'refusals arrive as such': () => refuse(life),
  }
  for (const [name, check] of Object.entries(checks)) await t.test(name, check)
  await t.test(PAGE_CHECK, () => comparePage('tonweb', Object.keys(checks)))
  assert.deepEqual(network.logLines, [])
})

const nobody = contractAddress(0, { code: echoCode(), data: beginCell().storeUint(3, 32).endCell() })
const receiver = nobody.toString()

const receiveFirst = async ({ network, tonweb, wallet, address }: Life): Promise<void> => {
  assert.equal(await tonweb.getBalance(address), '0')
  assert.deepEqual(await tonweb.getTransactions(address), [])
  // The method throws on the client's side, as there is no code that could run.
  assert.equal(await wallet.methods.seqno().call(), null)
  await network.give(address, 10_000_000_000n)
  await until(
    'the money',
    () => tonweb.getBalance(address),
    (balance) => balance === '10000000000',
  )
  const { state, balance } = await tonweb.provider.getAddressInfo(address)
  assert.deepEqual([state, balance], ['uninitialized', '10000000000'])
}

type Fees = Record<'in_fwd_fee' | 'storage_fee' | 'gas_fee' | 'fwd_fee', number>

const sumOf = ({ in_fwd_fee, storage_fee, gas_fee, fwd_fee }: Fees): number =>
  in_fwd_fee + storage_fee + gas_fee + fwd_fee

/** What was paid is what was estimated, but for the seconds that have gone by and whatever else the client adds. */
const assertPaid = (fee: string, { source_fees }: { readonly source_fees: Fees }, added = 0): void => {
  const more = Number(fee) - sumOf(source_fees) - added
  assert.ok(more >= 0 && more < 1000, `${fee} was paid, ${sumOf(source_fees)} was estimated`)
}

const deployWallet = async ({ tonweb, wallet, address }: Life): Promise<void> => {
  const deploy = wallet.deploy(keys.secretKey)
  const estimate = await deploy.estimateFee()
  assert.equal(estimate['@type'], 'query.fees')
  assert.deepEqual(await deploy.send(), { '@type': 'ok' })
  await until(
    'the wallet',
    () => wallet.methods.seqno().call(),
    (seqno) => seqno === 1,
  )
  const [deployed] = await tonweb.getTransactions(address, 1)
  assert.equal(deployed.in_msg.source, '')
  assert.deepEqual(deployed.out_msgs, [])
  // The client puts code and data into a cell more than is needed, which an estimate cannot know.
  assertPaid(deployed.fee, estimate, CELL_PRICE)
}

const CELL_PRICE = 7000
const comment = 'für den Tee'

const payWithComment = async ({ tonweb, wallet, address }: Life): Promise<void> => {
  const transfer = wallet.methods.transfer({
    secretKey: keys.secretKey,
    toAddress: nobody.toString({ bounceable: false }),
    amount: toNano('1.25'),
    seqno: 1,
    payload: comment,
    sendMode: 3,
  })
  const estimate = await transfer.estimateFee()
  assert.deepEqual(estimate.destination_fees, [])
  await transfer.send()
  await until(
    'the payment',
    () => wallet.methods.seqno().call(),
    (seqno) => seqno === 2,
  )
  const [sent, , received] = await tonweb.getTransactions(address)
  assertPaid(sent.fee, estimate)
  const [message] = sent.out_msgs
  const sender = (await wallet.getAddress()).toString(true, true, true)
  assert.deepEqual([message.source, message.destination, message.value], [sender, receiver, '1250000000'])
  assert.equal(message.message, comment)
  assert.equal(TonWeb.utils.base64toString(message.msg_data.text), Buffer.from(comment).toString('latin1'))
  assert.equal(received.in_msg.value, '10000000000')
  assert.equal(BigInt(sent.fee), BigInt(sent.storage_fee) + BigInt(sent.other_fee))
  const hash = loadTransaction(OtherCell.fromBase64(sent.data).beginParse()).hash().toString('base64')
  assert.equal(sent.transaction_id.hash, hash)
}

const readWallet = async ({ tonweb, address }: Life): Promise<void> => {
  const wallet = await tonweb.provider.getWalletInfo(address)
  assert.deepEqual(
    [wallet.wallet, wallet.wallet_type, wallet.seqno, wallet.wallet_id],
    [true, 'wallet v4 r2', 2, 698983191],
  )
  assert.equal(wallet.account_state, 'active')
  const extended = await tonweb.provider.getExtendedAddressInfo(address)
  assert.deepEqual(extended.account_state, { '@type': 'wallet.v4.accountState', wallet_id: 698983191, seqno: 2 })
  assert.equal(extended.address.account_address, address)
  assert.equal(extended.block_id['@type'], 'ton.blockIdExt')
  const { balance, last_transaction_id } = await tonweb.provider.getAddressInfo(address)
  assert.equal(await tonweb.getBalance(address), balance)
  const [newest] = await tonweb.getTransactions(address, 1, last_transaction_id.lt, last_transaction_id.hash)
  assert.deepEqual(newest.transaction_id, last_transaction_id)
}

const locateTransactions = async ({ tonweb, address }: Life): Promise<void> => {
  const [sent] = await tonweb.getTransactions(address, 1)
  const place = { source: address, destination: receiver, created_lt: sent.out_msgs[0].created_lt }
  const locate = (method: string): Promise<Record<string, Record<string, unknown>>> =>
    tonweb.provider.send(method, place) as never
  const result = await until('the delivery', () => locate('tryLocateResultTx').catch(() => undefined))
  assert.equal(result!['in_msg']!['message'], comment)
  assert.equal(result!['in_msg']!['hash'], sent.out_msgs[0].hash)
  assert.deepEqual((await locate('tryLocateTx'))['transaction_id'], result!['transaction_id'])
  assert.deepEqual((await locate('tryLocateSourceTx'))['transaction_id'], sent.transaction_id)
}

// The client reads no bytes that are a part of others.
const toOwnCell = (cell: OtherCell) => Cell.oneFromBoc(Uint8Array.from(cell.toBoc()))

/** A contract with this code, as the client makes it. */
const deployContract = async ({ tonweb, wallet }: Life, code: OtherCell, seqno: number): Promise<string> => {
  const own = toOwnCell(code)
  const contract = new TonWeb.Contract(tonweb.provider, { code: own })
  const { stateInit, address } = await contract.createStateInit()
  await wallet.methods
    .transfer({
      secretKey: keys.secretKey,
      toAddress: address.toString(true, true, false),
      amount: toNano('0.1'),
      seqno,
      stateInit,
      sendMode: 3,
    })
    .send()
  const isThere = async () => (await tonweb.provider.getAddressInfo(address.toString())).state === 'active'
  await until('the contract', isThere)
  return address.toString(true, true, true)
}

const runMethods = async (life: Life): Promise<void> => {
  const { tonweb, address } = life
  const values = await tonweb.provider.call2(await deployContract(life, valuesCode(), 2), 'values')
  const [five, minusFive, cell, slice, nothing, triple, list, nested] = values
  assert.deepEqual([five.toNumber(), minusFive.toNumber()], [5, -5])
  for (const each of [cell, slice, nested[1]]) assert.deepEqual(each.bits.array.subarray(0, 1), Uint8Array.of(7))
  assert.deepEqual(nothing, [])
  const numbersOf = (items: { toNumber(): number }[]): number[] => items.map((item) => item.toNumber())
  assert.deepEqual(
    [numbersOf(triple), numbersOf(list), numbersOf(nested[2])],
    [
      [1, 2, 3],
      [7, 8],
      [1, 2],
    ],
  )
  assert.equal(nested[0].toNumber(), -1)

  const echo = await deployContract(life, echoCode(), 3)
  const bag = bytesToBase64(await toOwnCell(echoCode()).toBoc(false))
  const given = [
    ['num', 12],
    ['num', '-0x10'],
    ['num', new BN(2).pow(new BN(200)).toString()],
    ['tvm.Cell', bag],
    ['tvm.Slice', bag],
    ['cell', { bytes: bag }],
    ['list', { '@type': 'tvm.list', elements: [] }],
    [
      'tuple',
      {
        '@type': 'tvm.tuple',
        elements: [numberEntry('3'), { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: bag } }],
      },
    ],
  ] as [string, unknown][]
  const back = await tonweb.provider.call2(echo, 'echo', given)
  assert.deepEqual(numbersOf(back.slice(0, 2)), [12, -16])
  assert.equal(back[2].toString(), (2n ** 200n).toString())
  for (const each of [...back.slice(3, 6), back[7][1]]) assert.equal(bytesToBase64(await each.toBoc(false)), bag)
  assert.deepEqual(back[6], [])
  assert.equal(back[7][0].toNumber(), 3)
  // By its number, and with the answer as it came.
  const raw = await tonweb.call(address, 85143)
  assert.deepEqual([raw['@type'], raw.exit_code, raw.stack], ['smc.runResult', 0, [['num', '0x4']]])
  await assert.rejects(tonweb.provider.call2(address, 'no_such_method'), /parse response error/)
}

const numberEntry = (number: string) => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number },
})

const readConfig = async ({ tonweb }: Life): Promise<void> => {
  const provider = tonweb.provider as typeof tonweb.provider & {
    getConfigParam(id: number): Promise<InstanceType<typeof Cell>>
  }
  // The address of the configuration contract.
  const cell = await provider.getConfigParam(0)
  assert.deepEqual(cell.bits.array.subarray(0, 32), new Uint8Array(32).fill(0x55))
  await assert.rejects(provider.getConfigParam(999), /expected bytes/)
  const all = (await provider.send('getConfigAll', {})) as unknown as { config: { bytes: string } }
  assert.ok(Cell.oneFromBoc(base64ToBytes(all.config.bytes)).refs.length > 0)
}

const watchBlocks = async ({ tonweb, wallet, address }: Life): Promise<void> => {
  const { last } = await tonweb.provider.getMasterchainInfo()
  const before = last.seqno - 5
  await wallet.methods
    .transfer({ secretKey: keys.secretKey, toAddress: receiver, amount: toNano('0.01'), seqno: 4 })
    .send()
  await until(
    'the payment',
    () => wallet.methods.seqno().call(),
    (seqno) => seqno === 5,
  )
  const [sent] = await tonweb.getTransactions(address, 1)
  const seen = new Set<string>()
  const transactions = new Set<string>()
  let isOver = false
  const onBlock = async ({ id }: { id: { workchain: number; shard: string; seqno: number } }): Promise<void> => {
    // The subscription finishes a pass that is under way when it is stopped, and would be told of the network's end.
    if (isOver) await new Promise(() => undefined)
    seen.add(`${id.workchain} ${id.seqno}`)
    const list = await tonweb.provider.getBlockTransactions(id.workchain, id.shard, id.seqno, 100)
    assert.equal(list.incomplete, false)
    for (const { hash } of list.transactions) transactions.add(hash)
  }
  const storage = new TonWeb.InMemoryBlockStorage(() => undefined)
  const options = { startMcBlockNumber: before, mcInterval: 50, shardsInterval: 10 }
  const subscription = new TonWeb.BlockSubscription(tonweb.provider, storage, onBlock, options)
  await subscription.start()
  try {
    await until(
      'all blocks',
      async () => seen.has(`-1 ${last.seqno - 1}`) && transactions.has(sent.transaction_id.hash),
    )
  } finally {
    isOver = true
    subscription.stop()
  }
  for (let seqno = before + 1; seqno < last.seqno; seqno++)
    assert.ok(seen.has(`-1 ${seqno}`), `${seqno} was passed over`)
}

const refuse = async ({ tonweb, wallet }: Life): Promise<void> => {
  const late = { secretKey: keys.secretKey, toAddress: receiver, amount: toNano('1'), seqno: 1, sendMode: 3 }
  await assert.rejects(wallet.methods.transfer(late).send(), /^LITE_SERVER_UNKNOWN: cannot apply external message/)
  const told = await tonweb.provider.getAddressInfo('nonsense').catch((error: unknown) => error)
  assert.match(String(told), /Failed to parse address: 'nonsense'|address/)
}
