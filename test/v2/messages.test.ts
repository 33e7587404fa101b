import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  Address,
  beginCell,
  Cell,
  comment,
  external,
  internal,
  loadTransaction,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { assertDescribed } from '../support/openApiCheck.ts'
import { postV2, rpcV2 } from '../support/v2Client.ts'
import { askEveryWay, assertFailure, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

const byBody = { ways: ['post', 'rpc'] } as const
const receiver = new Address(0, Buffer.alloc(32, 0x21))
const masterReceiver = new Address(-1, Buffer.alloc(32, 0x22))

type Wallet = WalletContractV4 | WalletContractV3R2 | WalletContractV5R1

const makers: Record<string, (publicKey: Buffer) => Wallet> = {
  v3r2: (publicKey) => WalletContractV3R2.create({ workchain: 0, publicKey }),
  v4r2: (publicKey) => WalletContractV4.create({ workchain: 0, publicKey }),
  v5r1: (publicKey) => WalletContractV5R1.create({ workchain: 0, publicKey }),
}

const pay = (to: Address, value: string, body?: Cell): MessageRelaxed =>
  internal({ to, value: toNano(value), bounce: false, ...(body !== undefined && { body }) })

const bagOf = (cell: Cell): string => cell.toBoc().toString('base64')

describe('v2 messages', () => {
  let service: V2NetworkService
  const v2 = (): string => `${service.url}/api/v2`

  before(async () => {
    service = await startV2Network()
  })
  after(() => service.close())

  const openWallet = async (kind: string, place = 0): Promise<{ wallet: Wallet; secretKey: Buffer }> => {
    const found = service.network.accounts.filter(({ walletType }) => walletType === kind)[place]!
    const { publicKey, secretKey } = await mnemonicToPrivateKey(found.mnemonic.split(' '))
    return { wallet: makers[kind]!(publicKey), secretKey }
  }

  const sign = (wallet: Wallet, secretKey: Buffer, seqno: number, messages: MessageRelaxed[]): Cell =>
    (wallet as WalletContractV4).createTransfer({
      seqno,
      secretKey,
      messages,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    }) as Cell

  const pack = (wallet: Wallet, body: Cell, withInit = false): Cell => {
    const message = external({ to: wallet.address, body, ...(withInit && { init: wallet.init }) })
    return beginCell().store(storeMessage(message)).endCell()
  }

  const lastTransaction = async (address: Address) => {
    const [last] = await askEveryWay(service.url, 'getTransactions', { address: address.toString(), limit: 1 })
    return { ...loadTransaction(Cell.fromBase64(last.data).beginParse()), told: last }
  }

  const estimate = async (address: Address, body: Cell, more = {}): Promise<Json> => {
    const args = { address: address.toString(), body: bagOf(body), ...more }
    const result = await askEveryWay(service.url, 'estimateFee', args, byBody)
    assert.deepEqual(result.destination_fees, [])
    return result.source_fees
  }

  /** What the network took, in the same four parts. */
  const paid = async (address: Address): Promise<Json> => {
    const { description, totalFees, told } = await lastTransaction(address)
    assert.ok(description.type === 'generic' && description.computePhase.type === 'vm')
    const storage = description.storagePhase?.storageFeesCollected ?? 0n
    const gas = description.computePhase.gasFees
    const { totalFwdFees = 0n, totalActionFees = 0n } = description.actionPhase ?? {}
    const total = told.fee
    const fees = {
      '@type': 'fees',
      in_fwd_fee: Number(totalFees.coins - storage - gas - (totalActionFees ?? 0n)),
      storage_fee: Number(storage),
      gas_fee: Number(gas),
      fwd_fee: Number(totalFwdFees ?? 0n),
    }
    // What the history says it cost is the sum of it all.
    assert.equal(fees.in_fwd_fee + fees.storage_fee + fees.gas_fee + fees.fwd_fee, Number(total))
    return fees
  }

  const withoutStorage = ({ storage_fee: _, ...fees }: Json): Json => fees

  /** Estimated, sent and paid: the same, but for the seconds of storage between. */
  const compareFees = async (wallet: Wallet, body: Cell, withInit = false): Promise<Json> => {
    const init = withInit ? { init_code: bagOf(wallet.init.code), init_data: bagOf(wallet.init.data) } : {}
    const estimated = await estimate(wallet.address, body, init)
    const { status, body: answer } = await postV2(v2(), 'sendBoc', { boc: bagOf(pack(wallet, body, withInit)) })
    assert.deepEqual([status, answer.result], [200, { '@type': 'ok' }])
    await service.mine(3)
    const fees = await paid(wallet.address)
    assert.deepEqual(withoutStorage(estimated), withoutStorage(fees))
    assert.ok(
      estimated.storage_fee <= fees.storage_fee && fees.storage_fee <= estimated.storage_fee + 10,
      `${estimated.storage_fee} and ${fees.storage_fee}`,
    )
    assert.ok(fees.gas_fee > 0)
    return fees
  }

  for (const kind of Object.keys(makers)) {
    it(`estimates what the network then takes of a wallet ${kind}`, async () => {
      const { wallet, secretKey } = await openWallet(kind)
      const orders: MessageRelaxed[][] = [
        [pay(receiver, '1')],
        [pay(receiver, '1', comment('hello'))],
        [pay(masterReceiver, '1', comment('to the masterchain'))],
        [pay(receiver, '1', comment('x'.repeat(300))), pay(masterReceiver, '2'), pay(receiver, '3')],
        [],
      ]
      const seen = new Set<number>()
      for (const [seqno, messages] of orders.entries()) {
        const fees = await compareFees(wallet, sign(wallet, secretKey, seqno, messages))
        seen.add(fees.fwd_fee)
      }
      assert.ok(seen.size >= 4)
    })
  }

  it('measures messages as the contract writes them: the network may have to move a body into a cell of its own', async () => {
    const { wallet, secretKey } = await openWallet('v4r2', 3)
    const long = comment('a comment that needs some room, and then some more')
    const body = sign(wallet, secretKey, 0, [pay(receiver, '1', long)])
    const estimated = await estimate(wallet.address, body)
    assert.equal((await postV2(v2(), 'sendBoc', { boc: bagOf(pack(wallet, body)) })).status, 200)
    await service.mine(3)
    const fees = await paid(wallet.address)
    const plain = await estimate(wallet.address, sign(wallet, secretKey, 1, [pay(receiver, '1')]))
    assert.equal(estimated.fwd_fee, plain.fwd_fee)
    assert.ok(estimated.fwd_fee < fees.fwd_fee)
  })

  it('estimates for a wallet that is not there yet, with money on it and without', async () => {
    const { publicKey, secretKey } = await mnemonicToPrivateKey(Array.from({ length: 24 }, () => 'zoo'))
    const wallet = WalletContractV4.create({ workchain: 0, publicKey, walletId: 7 })
    const body = sign(wallet, secretKey, 0, [pay(receiver, '1', comment('deployed'))])
    const init = { init_code: bagOf(wallet.init.code), init_data: bagOf(wallet.init.data) }
    // Without money the run of the original ends where the message is accepted, and that much gas is told.
    const poor = await estimate(wallet.address, body, init)
    assert.ok(poor.gas_fee > 0)
    assert.equal(poor.fwd_fee, 0)
    const late = await estimate(wallet.address, sign(wallet, secretKey, 9, [pay(receiver, '1')]), init)
    assert.ok(late.gas_fee > 0 && late.gas_fee < poor.gas_fee, `${late.gas_fee} and ${poor.gas_fee}`)
    const { controls } = service.network
    const account = { workchain: 0, hash: new Uint8Array(wallet.address.hash) }
    // Money for a little gas, not for as much as it takes to accept.
    await controls.setAccount({
      address: account,
      balance: { grams: 10_000n, extra: NO_EXTRA_CURRENCIES },
      state: undefined,
    })
    await service.catchUp()
    assert.deepEqual(withoutStorage(await estimate(wallet.address, body, init)), withoutStorage(poor))
    assert.equal((await estimate(wallet.address, sign(wallet, secretKey, 9, []), init)).gas_fee, 0)
    await controls.faucet(account, toNano('5'))
    await service.mine(4)
    const fees = await compareFees(wallet, body, true)
    assert.ok(poor.gas_fee < fees.gas_fee)
    assert.equal(poor.in_fwd_fee, fees.in_fwd_fee)
    // The original puts the code and data that come along in the place of those that are there.
    const second = sign(wallet, secretKey, 1, [pay(receiver, '1')])
    assert.equal((await estimate(wallet.address, second, init)).gas_fee, 0)
    await compareFees(wallet, second)
    // Code that the address was not made from is taken all the same, as the original does.
    const elsewhere = await estimate(receiver, sign(wallet, secretKey, 0, [pay(receiver, '1')]), init)
    assert.ok(elsewhere.gas_fee > 0)
  })

  it('checks signatures only where it is told to', async () => {
    const { wallet } = await openWallet('v4r2', 1)
    const foreign = sign(wallet, (await openWallet('v4r2', 2)).secretKey, 0, [pay(receiver, '1')])
    const trusting = await estimate(wallet.address, foreign)
    assert.ok(trusting.gas_fee > 0 && trusting.fwd_fee > 0)
    assert.deepEqual(await estimate(wallet.address, foreign, { ignore_chksig: true }), trusting)
    for (const ignore_chksig of [false, 'false', 0]) {
      const checked = await estimate(wallet.address, foreign, { ignore_chksig })
      assert.deepEqual(checked, { ...trusting, gas_fee: 0, fwd_fee: 0 })
    }
  })

  it('has fixed prices for messages that come to nothing', async () => {
    const { wallet, secretKey } = await openWallet('v4r2', 1)
    const late = sign(wallet, secretKey, 77, [pay(receiver, '1')])
    const refused = await estimate(wallet.address, late)
    assert.deepEqual([refused.gas_fee, refused.fwd_fee], [0, 0])
    assert.ok(refused.in_fwd_fee > 0)
    const nobody = new Address(0, Buffer.alloc(32, 0x17))
    const empty = await estimate(nobody, new Cell())
    assert.deepEqual([empty.gas_fee, empty.fwd_fee, empty.storage_fee], [await flatPrice(0), 0, 0])
  })

  const flatPrice = async (workchain: number): Promise<number> => {
    const { config } = await askEveryWay(service.url, 'getConfigParam', { param: workchain === 0 ? 21 : 20 })
    const slice = Cell.fromBase64(config.bytes).beginParse()
    assert.equal(slice.loadUint(8), 0xd1)
    slice.skip(64)
    return Number(slice.loadUintBig(64))
  }

  it('tells the flat price of an account without code only where its balance is below that', async () => {
    const frozen = { kind: 'frozen', stateHash: new Uint8Array(32).fill(9) } as const
    for (const workchain of [0, -1]) {
      const flat = await flatPrice(workchain)
      for (const [at, state] of [{ kind: 'uninit' } as const, frozen].entries()) {
        for (const [short, gas] of [
          [1, flat],
          [0, 0],
          [-1_000_000_000, 0],
        ] as const) {
          const hash = Buffer.alloc(32, 0x40 + at)
          const balance = { grams: BigInt(flat - short), extra: NO_EXTRA_CURRENCIES }
          await service.network.controls.setAccount({
            address: { workchain, hash: new Uint8Array(hash) },
            balance,
            state,
          })
          await service.catchUp()
          const { gas_fee, fwd_fee } = await estimate(new Address(workchain, hash), new Cell())
          assert.deepEqual([gas_fee, fwd_fee], [gas, 0], `${state.kind}, ${balance.grams} in ${workchain}`)
        }
      }
    }
  })

  it('tells both hashes of a message, however it is packed', async () => {
    const { wallet, secretKey } = await openWallet('v4r2', 1)
    const body = sign(wallet, secretKey, 0, [pay(receiver, '1')])
    const inline = pack(wallet, body)
    const header = (fee: bigint) =>
      beginCell().storeUint(0b1000, 4).storeAddress(wallet.address).storeCoins(fee).storeUint(0b01, 2).storeRef(body)
    const inReference = header(1n).endCell()
    assert.notDeepEqual(inline.hash(), inReference.hash())
    for (const message of [inline, inReference]) {
      const { status, body: answer } = await postV2(v2(), 'sendBocReturnHash', { boc: bagOf(message) })
      assert.equal(status, 200, JSON.stringify(answer))
      assert.deepEqual(answer.result, {
        '@type': 'raw.extMessageInfo',
        hash: message.hash().toString('base64'),
        hash_norm: header(0n).endCell().hash().toString('base64'),
      })
    }
    await service.mine(2)
    const { inMessage } = await lastTransaction(wallet.address)
    assert.equal(inMessage?.info.type, 'external-in')
  })

  const sends = ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError']

  it('refuses what is no message before any node sees it', async () => {
    const rows: [args: Json, status: number, text: string | RegExp][] = [
      [{}, 422, /^failed to parse post request: .*boc/],
      [{ boc: null }, 422, /^failed to parse post request: .*boc/],
      [{ boc: '' }, 422, 'failed to validate request: empty boc'],
      [{ boc: '***' }, 422, /^failed to parse post request: .*invalid base64 encoded bytes/],
      [{ boc: 5 }, 422, /^failed to parse post request: .*boc/],
      [{ boc: 'anVuaw==' }, 500, 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: invalid header, error 0'],
      [{ boc: bagOf(new Cell()) }, 500, 'Failed to unpack Message'],
      [
        { boc: bagOf(beginCell().storeUint(0, 600).endCell()) },
        500,
        /^(Failed to unpack Message|CommonMsgInfo tag is not ext_in_msg_info)$/,
      ],
      [{ boc: bagOf(new Cell()), more: 1 }, 422, "failed to parse post request: Unknown property 'more'"],
    ]
    for (const name of sends) {
      for (const [args, status, text] of rows) {
        const own = status === 500 && name === 'sendBocReturnHashNoError' ? 400 : status
        await assertRefused(service.url, name, args, { status: own, text }, byBody)
      }
      assert.equal((await fetch(`${v2()}/${name}?boc=x`)).status, 405)
    }
  })

  it('passes on why the network does not take a message', async () => {
    const { wallet, secretKey } = await openWallet('v4r2', 2)
    const boc = bagOf(pack(wallet, sign(wallet, secretKey, 55, [pay(receiver, '1')])))
    for (const name of sends) {
      const answer = await postV2(v2(), name, { boc })
      assertFailure(answer, name === 'sendBocReturnHashNoError' ? 400 : 500)
      assert.match(
        answer.body.error,
        /^LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted/,
      )
      assert.ok(answer.body.error.length < 5000)
    }
    const good = bagOf(pack(wallet, sign(wallet, secretKey, 0, [pay(receiver, '1')])))
    assert.equal((await postV2(v2(), 'sendBoc', { boc: good })).status, 200)
    const again = await postV2(v2(), 'sendBoc', { boc: good })
    assertFailure(again, 500)
    assert.equal(again.body.error, 'LITE_SERVER_UNKNOWN: cannot send external message : duplicate message')
  })

  /** A cell as clients of the 2.0 line write it out. */
  const objectOf = (cell: Cell): Json => {
    const padded = beginCell().storeBits(cell.bits)
    while (padded.bits % 8 !== 0) padded.storeBit(false)
    const { bits } = padded.endCell()
    return {
      data: { b64: bits.subbuffer(0, bits.length)!.toString('base64'), len: cell.bits.length },
      refs: cell.refs.map(objectOf),
      special: cell.isExotic,
    }
  }

  it('sends a message in parts, as bags and as objects, and estimates the same for both', async () => {
    const { secretKey, publicKey } = await mnemonicToPrivateKey(Array.from({ length: 24 }, () => 'zone'))
    const wallet = WalletContractV4.create({ workchain: 0, publicKey, walletId: 8 })
    const address = wallet.address.toString()
    await service.network.controls.faucet({ workchain: 0, hash: new Uint8Array(wallet.address.hash) }, toNano('9'))
    await service.mine(4)
    const deploying = sign(wallet, secretKey, 0, [pay(receiver, '1', comment('deployed'))])
    const { code, data } = wallet.init
    const bags = { init_code: bagOf(code), init_data: bagOf(data) }
    const objects = { init_code: objectOf(code), init_data: objectOf(data) }
    const simple = async (args: Json): Promise<Json> => {
      const [byPost, byRpc] = [
        await postV2(v2(), 'estimateFeeSimple', { address, ...args }),
        await rpcV2(v2(), 'estimateFeeSimple', { address, ...args }),
      ]
      assert.deepEqual([byPost.status, byRpc.status], [200, 200], JSON.stringify(byPost.body))
      assert.deepEqual(byRpc.body.result, byPost.body.result)
      const described = { base: v2(), name: 'estimateFeeSimple', method: 'post', status: 200 } as const
      await assertDescribed({ ...described, body: byPost.body })
      return byPost.body.result.source_fees
    }
    const expected = await estimate(wallet.address, deploying, bags)
    assert.ok(expected.gas_fee > 0 && expected.fwd_fee > 0)
    assert.deepEqual(await simple({ body: objectOf(deploying), ...objects }), expected)

    const steps: [name: string, ask: typeof rpcV2, args: Json][] = [
      ['sendQuery', postV2, { body: bagOf(deploying), ...bags }],
      ['sendQuery', rpcV2, { body: bagOf(sign(wallet, secretKey, 1, [pay(receiver, '1')])), init_code: '' }],
      ['sendQuerySimple', postV2, { body: objectOf(sign(wallet, secretKey, 2, [pay(receiver, '1')])) }],
      ['sendQuerySimple', rpcV2, { body: objectOf(sign(wallet, secretKey, 3, [pay(receiver, '1')])), ...objects }],
    ]
    for (const [seqno, [name, ask, args]] of steps.entries()) {
      const answer = await ask(v2(), name, { address, ...args })
      assert.deepEqual([answer.status, answer.body.result], [200, { '@type': 'ok' }], JSON.stringify(answer.body))
      await service.mine(3)
      const { outMessages } = await lastTransaction(wallet.address)
      assert.equal(outMessages.size, 1)
      const { stack } = await askEveryWay(service.url, 'runGetMethod', { address, method: 'seqno', stack: [] }, byBody)
      assert.equal(Number(stack[0][1]), seqno + 1)
    }
    const foreign = sign(wallet, (await openWallet('v4r2', 2)).secretKey, 4, [pay(receiver, '1')])
    const refused = await postV2(v2(), 'sendQuery', { address, body: bagOf(foreign) })
    assertFailure(refused, 500)
    assert.match(refused.body.error, /^LITE_SERVER_UNKNOWN: cannot apply external message to current state/)
    assert.equal((await simple({ body: objectOf(foreign), ignore_chksig: false })).gas_fee, 0)
  })

  it('refuses parts of a message that are malformed', async () => {
    const address = receiver.toString()
    const good: Json = { data: { b64: '', len: 0 }, refs: [], special: false }
    const nest = (levels: number): Json => (levels === 0 ? good : { ...good, refs: [nest(levels - 1)] })
    const wide = (levels: number): Json => ({
      ...good,
      refs: levels === 0 ? [] : Array.from({ length: 4 }, () => wide(levels - 1)),
    })
    const { special: _, ...withoutSpecial } = good
    const malformed: unknown[] = [
      {},
      'x',
      [],
      7,
      withoutSpecial,
      { ...good, special: 0 },
      { ...good, special: true },
      { ...good, refs: undefined },
      { ...good, refs: {} },
      { ...good, refs: [good, good, good, good, good] },
      { ...good, refs: [withoutSpecial] },
      { ...good, refs: [null] },
      { ...good, data: undefined },
      { ...good, data: { b64: 'AA==' } },
      { ...good, data: { b64: '***', len: 8 } },
      { ...good, data: { b64: 'AA==', len: 9 } },
      { ...good, data: { b64: 'AA==', len: -1 } },
      { ...good, data: { b64: 'AA==', len: 1.5 } },
      { ...good, data: { b64: 'AA==', len: '8' } },
      { ...good, data: { b64: 'A'.repeat(172), len: 1024 } },
      // More cells than any node takes.
      { ...good, refs: [wide(6), wide(6)] },
    ]
    const text = 'Error while parsing cell object'
    for (const name of ['sendQuerySimple', 'estimateFeeSimple']) {
      for (const body of malformed)
        await assertRefused(service.url, name, { address, body }, { status: 400, text }, byBody)
      for (const part of ['init_code', 'init_data']) {
        await assertRefused(service.url, name, { address, body: good, [part]: {} }, { status: 400, text }, byBody)
      }
      await assertRefused(service.url, name, { address }, { status: 422, text: /body/ }, byBody)
      await assertRefused(service.url, name, { body: good }, { status: 422, text: /address/ }, byBody)
      await assertRefused(
        service.url,
        name,
        { address, body: nest(200) },
        { status: 422, text: /nested/ },
        { ways: ['post'] },
      )
    }
    assert.equal((await postV2(v2(), 'estimateFeeSimple', { address, body: nest(50) })).status, 200)
    const junk = /^INVALID_BAG_OF_CELLS: body/
    await assertRefused(service.url, 'sendQuery', { address, body: 'anVuaw==' }, { status: 500, text: junk }, byBody)
    await assertRefused(service.url, 'sendQuery', { address }, { status: 422, text: /body/ }, byBody)
  })

  it('refuses to estimate what is no message', async () => {
    const address = receiver.toString()
    const body = bagOf(new Cell())
    const rows: [args: Json, status: number, text: string | RegExp][] = [
      [{ address }, 422, /^failed to parse post request: .*body/],
      [{ body }, 422, "failed to parse post request: Failed to parse address: ''"],
      [{ address, body: '***' }, 422, /^failed to parse post request: .*body.*invalid base64 encoded bytes/],
      [{ address, body: 'anVuaw==' }, 500, /^INVALID_BAG_OF_CELLS: body/],
      [{ address, body: '' }, 500, /^INVALID_BAG_OF_CELLS: body.*not enough bytes \(0 present, 10 required\)$/],
      [{ address, body, init_code: 'anVuaw==' }, 500, /^INVALID_BAG_OF_CELLS: init_code/],
      [{ address, body, init_code: body, init_data: 'anVuaw==' }, 500, /^INVALID_BAG_OF_CELLS: init_data/],
      [{ address, body, ignore_chksig: 'maybe' }, 422, /^failed to parse post request: failed to parse ignore_chksig$/],
      [{ address: `7:${'11'.repeat(32)}`, body }, 500, /^VALIDATE_ACCOUNT_STATE/],
    ]
    for (const [args, status, text] of rows) {
      await assertRefused(service.url, 'estimateFee', args, { status, text }, byBody)
    }
    // Data without code is not looked at.
    await estimate(receiver, new Cell(), { init_code: '', init_data: 'anVuaw==' })
    assert.deepEqual(service.logLines, [])
  })
})
