import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Address, beginCell, Cell, comment, loadTransaction } from '@ton/core'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { type Address as OurAddress, parseAddress } from '../../src/primitives/Address.ts'
import { getV2 } from '../support/v2Client.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

const receiver = `0:${'5a'.repeat(32)}`
const sender = `0:${'a5'.repeat(32)}`
const count = 20

describe('v2 transactions', () => {
  let service: V2NetworkService
  /** All that happened to the receiver, newest first. */
  let everything: Json[]

  const ask = (name: string, args: { readonly [name: string]: unknown } = {}): Promise<Json> =>
    askEveryWay(service.url, name, args)

  const send = async (body: Cell, from: OurAddress = parseAddress(sender)): Promise<void> => {
    const message = {
      source: from,
      destination: parseAddress(receiver),
      value: { grams: 1_000_000_000n, extra: NO_EXTRA_CURRENCIES },
      bounce: false,
      stateInit: undefined,
      body: decodeSingleBoc(new Uint8Array(body.toBoc())),
    }
    await service.network.controls.impersonate(message)
  }

  before(async () => {
    service = await startV2Network()
    for (let number = 0; number < count; number++) await send(comment(`number ${number}`))
    await send(beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).endCell())
    await service.catchUp()
    everything = await ask('getTransactions', { address: receiver, limit: 1000 })
  })
  after(() => service.close())

  it('tells the whole history of an account, newest first', () => {
    assert.equal(everything.length, count + 1)
    assert.deepEqual(
      everything.map(({ in_msg }) => in_msg.message),
      ['D4p+pQAAAAAAAAAH\n', ...Array.from({ length: count }, (_, at) => `number ${count - 1 - at}`)],
    )
    for (const item of everything) {
      const cell = Cell.fromBase64(item.data)
      const transaction = loadTransaction(cell.beginParse())
      const { inMessage, totalFees } = transaction
      assert.deepEqual([item.transaction_id.lt, item.utime], [transaction.lt.toString(), transaction.now])
      assert.equal(item.transaction_id.hash, cell.hash().toString('base64'))
      assert.equal(item.fee, totalFees.coins.toString())
      assert.equal(item.account, receiver.toUpperCase())
      assert.equal(item.address.account_address, Address.parseRaw(receiver).toString())
      assert.equal(item.in_msg.source, Address.parseRaw(sender).toString())
      assert.equal(item.in_msg.value, '1000000000')
      assert.ok(inMessage?.info.type === 'internal')
      assert.equal(item.in_msg.created_lt, inMessage.info.createdLt.toString())
      assert.equal(item.in_msg.body_hash, inMessage.body.hash().toString('base64'))
    }
  })

  it('gives ten unless told otherwise', async () => {
    assert.deepEqual(await ask('getTransactions', { address: receiver }), everything.slice(0, 10))
    assert.deepEqual(await ask('getTransactions', { address: receiver, limit: 3 }), everything.slice(0, 3))
    assert.deepEqual(await ask('getTransactions', { address: receiver, limit: 17 }), everything.slice(0, 17))
  })

  it('goes on from a transaction, which it repeats', async () => {
    const { lt, hash } = everything[2].transaction_id
    const hex = Buffer.from(hash, 'base64').toString('hex')
    for (const spelling of [hash, hex, hex.toUpperCase(), Buffer.from(hex, 'hex').toString('base64url')]) {
      const page = await ask('getTransactions', { address: receiver, lt, hash: spelling, limit: 18 })
      assert.deepEqual(page, everything.slice(2, 20))
    }
    const unescaped = await fetch(
      `${service.url}/api/v2/getTransactions?address=${receiver}&lt=${lt}&hash=${hash}&limit=1`,
    )
    assert.deepEqual(((await unescaped.json()) as Json).result, [everything[2]])
  })

  it('stops before a logical time', async () => {
    const { lt } = everything[6].transaction_id
    assert.deepEqual(await ask('getTransactions', { address: receiver, to_lt: lt }), everything.slice(0, 6))
    const until = (BigInt(lt) - 1n).toString()
    assert.deepEqual(await ask('getTransactions', { address: receiver, to_lt: until }), everything.slice(0, 7))
    assert.deepEqual(await ask('getTransactions', { address: receiver, to_lt: '9223372036854775807' }), [])
    assert.deepEqual(await ask('getTransactions', { address: receiver, to_lt: -1, limit: 2 }), everything.slice(0, 2))
  })

  it('takes a logical time of zero for none, and the typed form does not', async () => {
    assert.deepEqual(await ask('getTransactions', { address: receiver, lt: 0, limit: 2 }), everything.slice(0, 2))
    const text = 'failed to validate request: lt and hash should be used together'
    await assertRefused(service.url, 'getTransactionsStd', { address: receiver, lt: 0 }, { status: 422, text })
  })

  it('tells where the typed form goes on', async () => {
    const keys: Json[] = []
    for (let cursor = {}; ; ) {
      const page = await ask('getTransactionsStd', { address: receiver, limit: 9, ...cursor })
      keys.push(...page.transactions.map(({ transaction_id }: Json) => transaction_id))
      const { lt, hash } = page.previous_transaction_id
      if (lt === '0') break
      cursor = { lt, hash }
    }
    assert.deepEqual(
      keys,
      everything.map(({ transaction_id }) => transaction_id),
    )
    const { transactions } = await ask('getTransactionsStd', { address: receiver, limit: 1 })
    const [{ in_msg }] = transactions
    assert.equal(in_msg['@type'], 'raw.message')
    assert.deepEqual(in_msg.source, { '@type': 'accountAddress', account_address: Address.parseRaw(sender).toString() })
    assert.equal('message' in in_msg, false)
  })

  it('has nothing for an account that nothing happened to', async () => {
    const nobody = `0:${'17'.repeat(32)}`
    assert.deepEqual(await ask('getTransactions', { address: nobody }), [])
    const none = { '@type': 'internal.transactionId', lt: '0', hash: Buffer.alloc(32).toString('base64') }
    assert.deepEqual(await ask('getTransactionsStd', { address: nobody }), {
      '@type': 'raw.transactions',
      transactions: [],
      previous_transaction_id: none,
    })
  })

  it('leaves out the message of transactions that the network sets off by itself', async () => {
    const address = `-1:${'33'.repeat(32)}`
    const items = await ask('getTransactions', { address, limit: 3 })
    assert.ok(items.length > 0)
    assert.ok(items.some((item: Json) => !('in_msg' in item)))
  })

  it('takes archival for what it says, and false for nothing', async () => {
    const args = { address: receiver, limit: 2 }
    for (const archival of ['true', 'YES', '1', 'false', 'off', '']) {
      const { status, body } = await getV2(`${service.url}/api/v2`, 'getTransactions', { ...args, archival })
      assert.deepEqual([status, body.result], [200, everything.slice(0, 2)])
    }
    for (const archival of [true, false, 1, 'on']) {
      assert.deepEqual(await ask('getTransactions', { ...args, archival }), everything.slice(0, 2))
    }
  })

  it('refuses what it cannot serve, in the known words', async () => {
    const { lt, hash } = everything[0].transaction_id
    for (const name of ['getTransactions', 'getTransactionsStd']) {
      const refused = async (args: Json, status: number, text: string | RegExp): Promise<void> =>
        assertRefused(service.url, name, { address: receiver, ...args }, { status, text })
      const [parse, valid] = ['failed to parse get request: ', 'failed to validate request: ']
      await refused({ limit: 0 }, 422, `${valid}limit should be positive`)
      await refused({ limit: 1001 }, 422, `${valid}limit should be less or equal 1000`)
      await refused({ lt }, 422, `${valid}lt and hash should be used together`)
      await refused({ hash }, 422, `${valid}lt and hash should be used together`)
      await refused({ lt: -1, hash }, 422, `${valid}lt should be non-negative`)
      await refused({ to_lt: 'x' }, 422, `${parse}failed to parse to_lt`)
      await refused({ archival: 'maybe' }, 422, `${parse}failed to parse archival`)
      await refused({ lt, hash: 'zz' }, 422, `${parse}failed to parse hash`)
      const unknown = /^LITE_SERVER_UNKNOWN: cannot (locate transaction|compute block)/
      await refused({ address: sender, lt, hash }, 500, unknown)
      await refused({ lt, hash: '11'.repeat(32) }, 500, /^LITE_SERVER_\w+: .*mismatch/)
    }
  })
})
