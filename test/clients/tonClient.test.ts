import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  type OpenedContract,
  SendMode,
  type Transaction,
  type TupleItem,
  toNano,
} from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { TonClient, WalletContractV4 } from '@ton/ton'
import { type ClientNetwork, startClientNetwork, until } from './clientNetwork.ts'
import { allValuesCode, echoCode } from './codes.ts'
import { comparePage, PAGE_CHECK } from './comparePage.ts'

const keys = keyPairFromSeed(Buffer.alloc(32, 7))

/** What the client, a wallet and those it deals with have in common. */
type Life = {
  readonly network: ClientNetwork
  readonly client: TonClient
  readonly wallet: OpenedContract<WalletContractV4>
}

test('the TonClient of @ton/ton lives a life on the embedded network', { timeout: 120_000 }, async (t) => {
  const network = await startClientNetwork(t, { mining: { mode: 'instant' }, shards: 2 })
  const client = new TonClient({ endpoint: network.endpoint })
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }))
  const life: Life = { network, client, wallet }
  const checks = {
    'a wallet that nobody has heard of receives money': () => receiveFirst(life),
    'it is deployed by its first transfer': () => deployWallet(life),
    'it pays with a comment, for the fee that was estimated': () => payWithComment(life),
    'the message is followed to both of its ends': () => locateTransactions(life),
    'histories are read page by page': () => readHistory(life),
    'get-methods take and give all kinds of values': () => runMethods(life),
    'blocks and their transactions are read': () => readBlocks(life),
    'refusals arrive as such': () => refuse(life),
  }
  for (const [name, check] of Object.entries(checks)) await t.test(name, check)
  await t.test(PAGE_CHECK, () => comparePage('@ton/ton', Object.keys(checks)))
  assert.deepEqual(network.logLines, [])
})

const receiver = contractAddress(0, { code: echoCode(), data: beginCell().storeUint(1, 32).endCell() })

const receiveFirst = async ({ network, client, wallet }: Life): Promise<void> => {
  const before = await client.getContractState(wallet.address)
  assert.equal(before.state, 'uninitialized')
  assert.equal(before.balance, 0n)
  assert.equal(before.lastTransaction, null)
  assert.deepEqual(await client.getTransactions(wallet.address, { limit: 5 }), [])
  await network.give(wallet.address.toString(), toNano(10))
  await until(
    'the money',
    () => client.getBalance(wallet.address),
    (balance) => balance === toNano(10),
  )
  assert.equal(await client.isContractDeployed(wallet.address), false)
}

const deployWallet = async ({ client, wallet }: Life): Promise<void> => {
  const messages = [internal({ to: receiver, value: toNano(1), bounce: false })]
  await wallet.sendTransfer({ seqno: 0, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages })
  await until('the wallet', () => client.isContractDeployed(wallet.address))
  assert.equal(await wallet.getSeqno(), 1)
  const { code, data, state, lastTransaction, blockId } = await client.getContractState(wallet.address)
  assert.equal(state, 'active')
  assert.ok(Cell.fromBoc(code!)[0]!.equals(wallet.init.code))
  assert.equal(Cell.fromBoc(data!)[0]!.beginParse().loadUint(32), 1)
  assert.match(lastTransaction!.lt, /^[0-9]+$/)
  assert.equal(blockId.workchain, -1)
}

/** What a transaction cost its account, whoever of the network got it. */
const costOf = ({ totalFees, outMessages }: Transaction): bigint =>
  outMessages
    .values()
    .reduce((sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n), totalFees.coins)

const payWithComment = async ({ client, wallet }: Life): Promise<void> => {
  const body = wallet.createTransfer({
    seqno: 1,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: receiver, value: toNano('1.5'), bounce: false, body: comment('for the tea ☕') })],
  })
  const estimate = await client.estimateExternalMessageFee(wallet.address, {
    body,
    initCode: null,
    initData: null,
    ignoreSignature: true,
  })
  await wallet.send(body)
  await until(
    'the payment',
    () => wallet.getSeqno(),
    (seqno) => seqno === 2,
  )
  const [paid] = await client.getTransactions(wallet.address, { limit: 1 })
  const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = estimate.source_fees
  const { storagePhase, computePhase, actionPhase } = genericOf(paid!)
  assert.equal(BigInt(in_fwd_fee), importFeeOf(paid!))
  assert.equal(BigInt(gas_fee), computePhase.type === 'vm' ? computePhase.gasFees : undefined)
  assert.equal(BigInt(fwd_fee), actionPhase?.totalFwdFees)
  // A second or two more have gone by when the block is made.
  assert.ok(BigInt(storage_fee) <= storagePhase!.storageFeesCollected)
  assert.ok(storagePhase!.storageFeesCollected - BigInt(storage_fee) < 1000n)
  const estimated = BigInt(in_fwd_fee + storage_fee + gas_fee + fwd_fee)
  assert.ok(costOf(paid!) - estimated < 1000n, `${costOf(paid!)} was paid, ${estimated} was estimated`)
}

const genericOf = ({ description }: Transaction) => {
  if (description.type !== 'generic') return assert.fail(`It is a transaction of the kind ${description.type}.`)
  return description
}

/** What is left of all fees when those of the phases are taken away. */
const importFeeOf = (transaction: Transaction): bigint => {
  const { storagePhase, computePhase, actionPhase } = genericOf(transaction)
  const gas = computePhase.type === 'vm' ? computePhase.gasFees : 0n
  return transaction.totalFees.coins - storagePhase!.storageFeesCollected - gas - (actionPhase?.totalActionFees ?? 0n)
}

const locateTransactions = async ({ client, wallet }: Life): Promise<void> => {
  const [sent] = await client.getTransactions(wallet.address, { limit: 1 })
  const [message] = sent!.outMessages.values()
  const info = message!.info
  if (info.type !== 'internal') assert.fail()
  const lt = info.createdLt.toString()
  const result = await until('the delivery', () =>
    client.tryLocateResultTx(wallet.address, receiver, lt).catch(() => undefined),
  )
  const source = await client.tryLocateSourceTx(wallet.address, receiver, lt)
  assert.deepEqual(source.hash(), sent!.hash())
  const text = result!.inMessage!.body.beginParse()
  assert.equal(text.loadUint(32), 0)
  assert.equal(text.loadStringTail(), 'for the tea ☕')
  assert.ok(result!.inMessage!.info.dest?.toString() === receiver.toString())
  const again = await client.getTransaction(receiver, result!.lt.toString(), result!.hash().toString('base64'))
  assert.deepEqual(again!.hash(), result!.hash())
  await assert.rejects(client.tryLocateResultTx(receiver, wallet.address, lt), /404/)
}

const readHistory = async ({ client, wallet }: Life): Promise<void> => {
  const all = await client.getTransactions(wallet.address, { limit: 100 })
  assert.equal(all.length, 3)
  const [newest, middle, first] = all
  assert.ok(newest!.lt > middle!.lt && middle!.lt > first!.lt)
  const cursor = { lt: newest!.lt.toString(), hash: newest!.hash().toString('base64') }
  const next = await client.getTransactions(wallet.address, { limit: 1, ...cursor })
  assert.deepEqual(next.map(hexOf), [hexOf(middle!)])
  const from = await client.getTransactions(wallet.address, { limit: 2, ...cursor, inclusive: true, archival: true })
  assert.deepEqual(from.map(hexOf), [hexOf(newest!), hexOf(middle!)])
  const after = await client.getTransactions(wallet.address, { limit: 10, to_lt: first!.lt.toString() })
  assert.deepEqual(after.map(hexOf), [hexOf(newest!), hexOf(middle!)])
}

const hexOf = (transaction: Transaction): string => transaction.hash().toString('hex')

const runMethods = async ({ client, wallet }: Life): Promise<void> => {
  const echo = await deployContract({ client, wallet }, echoCode(), 2)
  const cell = beginCell().storeUint(0xcafe, 16).storeRef(beginCell().storeInt(-1, 5).endCell()).endCell()
  const given: TupleItem[] = [
    { type: 'int', value: -(2n ** 256n) },
    { type: 'int', value: 2n ** 256n - 1n },
    { type: 'int', value: 0n },
    { type: 'cell', cell },
    { type: 'slice', cell },
  ]
  const { stack, gas_used } = await client.runMethod(echo, 'whatever_it_is', given)
  assert.ok(gas_used > 0)
  assert.equal(stack.remaining, 5)
  assert.equal(stack.readBigNumber(), -(2n ** 256n))
  assert.equal(stack.readBigNumber(), 2n ** 256n - 1n)
  assert.equal(stack.readNumber(), 0)
  assert.ok(stack.readCell().equals(cell))
  assert.ok(stack.readCell().equals(cell))

  const values = await deployContract({ client, wallet }, allValuesCode(), 3)
  const { stack: got } = await client.runMethod(values, 'all')
  const seven = beginCell().storeUint(7, 8).endCell()
  assert.equal(got.readNumber(), 5)
  assert.equal(got.readNumber(), -5)
  assert.ok(got.readCell().equals(seven))
  assert.ok(got.readCell().equals(seven))
  assert.deepEqual(got.pop(), { type: 'null' })
  assert.deepEqual(itemsOf(got.pop()), [1n, 2n, 3n])
  assert.deepEqual(itemsOf(got.pop()), [7n, 8n])
  const [minusOne, inner, pair] = itemsOf(got.pop())
  assert.deepEqual([minusOne, pair], [-1n, [1n, 2n]])
  assert.ok((inner as Cell).equals(seven))
  const [slice, nothing, one] = itemsOf(got.pop())
  assert.ok((slice as Cell).equals(seven))
  assert.deepEqual([nothing, one], [[], 1n])

  const { exit_code } = await client.runMethodWithError(wallet.address, 'no_such_method')
  assert.equal(exit_code, 11)
  assert.equal((await client.runMethodWithError(nobody, 'seqno')).exit_code, -13)
  await assert.rejects(client.runMethod(echo, 'x', [{ type: 'builder', cell }]), /542/)
}

/** The client reads elements of tuples as bare values, whatever its types say. */
const itemsOf = (item: TupleItem): readonly unknown[] =>
  item.type === 'tuple' ? item.items : assert.fail(`It is a value of the kind ${item.type}.`)

const nobody = contractAddress(0, { code: echoCode(), data: beginCell().storeUint(2, 32).endCell() })

const deployContract = async (
  { client, wallet }: Pick<Life, 'client' | 'wallet'>,
  code: Cell,
  seqno: number,
): Promise<Address> => {
  const init = { code, data: new Cell() }
  const address = contractAddress(0, init)
  const messages = [internal({ to: address, value: toNano('0.1'), bounce: false, init })]
  await wallet.sendTransfer({ seqno, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages })
  await until('the contract', () => client.isContractDeployed(address))
  return address
}

const readBlocks = async ({ client, wallet }: Life): Promise<void> => {
  const { latestSeqno, initSeqno, workchain, shard } = await client.getMasterchainInfo()
  assert.deepEqual([initSeqno, workchain, shard], [0, -1, '-9223372036854775808'])
  const shards = await client.getWorkchainShards(latestSeqno)
  assert.deepEqual(
    shards.map((each) => each.shard),
    ['4611686018427387904', '-4611686018427387904'],
  )
  const found = new Set<string>()
  for (let seqno = latestSeqno; seqno > 0 && !found.has(wallet.address.toRawString()); seqno--) {
    for (const each of await client.getWorkchainShards(seqno)) {
      if (each.seqno === 0) continue
      const transactions = await client.getShardTransactions(each.workchain, each.seqno, each.shard)
      for (const { account } of transactions) found.add(account.toRawString())
    }
  }
  assert.ok(found.has(wallet.address.toRawString()))
}

const refuse = async ({ client, wallet }: Life): Promise<void> => {
  const stale = { seqno: 0, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages: [] }
  await assert.rejects(wallet.sendTransfer(stale), /500/)
  await assert.rejects(client.getWorkchainShards(2 ** 31 - 1), /500/)
}
