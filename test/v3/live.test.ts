import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { beginCell, type Cell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { postV2 } from '../support/v2Client.ts'
import { getV3, type Json, postV3 } from '../support/v3Client.ts'
import { askBothWays, assertV3Answer, postBothWays } from '../support/v3Oracle.ts'
import { serveV3, startV3Network } from '../support/v3Service.ts'
import { refusedIntegers, takenIntegers } from '../support/vmIntegers.ts'

after(closeSharedMachine)

const makers: Record<string, (publicKey: Buffer) => WalletContractV4 | WalletContractV3R2 | WalletContractV5R1> = {
  v3r2: (publicKey) => WalletContractV3R2.create({ workchain: 0, publicKey }),
  v4r2: (publicKey) => WalletContractV4.create({ workchain: 0, publicKey }),
  v5r1: (publicKey) => WalletContractV5R1.create({ workchain: 0, publicKey }),
}

/** Both dialects must answer with this status and text. */
const refuse = async (url: string, name: string, body: object | string, status: number, text: string | RegExp) => {
  for (const base of [`${url}/api/v3`, `${url}/ton/api/v3`]) {
    const answer = await postV3(base, name, typeof body === 'string' ? body : { ...body })
    const from = `${name} ${JSON.stringify(body).slice(0, 200)}: ${answer.status} ${JSON.stringify(answer.body)}`
    assert.equal(answer.status, status, from)
    await assertV3Answer(base, name, 'post', answer)
    if (typeof text === 'string') assert.equal(answer.body.error, text, from)
    else assert.match(answer.body.error, text, from)
  }
}

test('what is passed on to the live interface', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const service = await startV3Network(t, database)
  const { url, network } = service
  const openWallet = async (kind: string) => {
    const found = network.accounts.find(({ walletType }) => walletType === kind)!
    const { publicKey, secretKey } = await mnemonicToPrivateKey(found.mnemonic.split(' '))
    const wallet = makers[kind]!(publicKey)
    return { wallet, secretKey, raw: wallet.address.toRawString().toUpperCase() }
  }
  const bodyOf = ({ wallet, secretKey }: Awaited<ReturnType<typeof openWallet>>, seqno: number, to: string): Cell =>
    (wallet as WalletContractV4).createTransfer({
      seqno,
      secretKey,
      messages: [internal({ to, value: toNano('0.25'), bounce: false })],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    }) as Cell
  const bagOf = (cell: Cell): string => cell.toBoc().toString('base64')
  /** Who has received a message, by both of its hashes. */
  const receiversOf = ({ message_hash, message_hash_norm }: Json): Promise<string[]> =>
    database.transaction(async (client) => {
      const { rows } = await client.query<{ account: Buffer }>(
        "SELECT account FROM transactions WHERE in_hash = decode($1, 'base64') AND coalesce(in_hash_norm, in_hash) = decode($2, 'base64')",
        [message_hash, message_hash_norm],
      )
      return rows.map(({ account }) => `${account.readInt8(0)}:${account.toString('hex', 1).toUpperCase()}`)
    })
  const v2 = async (name: string, body: object): Promise<Json> =>
    (await postV2(`${url}/api/v2`, name, { ...body })).body

  await t.test('a message is sent, and then indexed', async () => {
    const receiver = `0:${'7E'.repeat(32)}`
    for (const kind of ['v3r2', 'v4r2', 'v5r1']) {
      const owner = await openWallet(kind)
      const body = bodyOf(owner, 0, receiver)
      const message = beginCell()
        .store(storeMessage(external({ to: owner.wallet.address, body })))
        .endCell()
      const sent = await postV3(`${url}/api/v3`, 'message', { boc: bagOf(message), unknown: 1 })
      assert.equal(sent.status, 200, JSON.stringify(sent.body))
      await assertV3Answer(`${url}/api/v3`, 'message', 'post', sent)
      assert.equal(sent.body.message_hash, message.hash().toString('base64'))
      await service.mine(3)
      const { wallets } = await askBothWays(url, 'walletStates', { address: owner.raw })
      assert.deepEqual([wallets[0].seqno, wallets[0].wallet_type], [1, `wallet ${kind.slice(0, 2)} ${kind.slice(2)}`])
      assert.equal(wallets[0].is_signature_allowed, kind === 'v5r1' ? true : undefined)
      const { seqno, wallet_id } = await askBothWays(url, 'walletInformation', { address: owner.raw })
      assert.deepEqual([seqno, wallet_id], [1, wallets[0].wallet_id])
      const { stack } = await postBothWays(url, 'runGetMethod', { address: owner.raw, method: 'seqno', stack: [] })
      assert.deepEqual(stack, [{ type: 'num', value: '0x1' }])
      assert.deepEqual(await receiversOf(sent.body), [owner.raw])
    }
    const { balance, status } = await askBothWays(url, 'addressInformation', { address: receiver })
    const { result } = await v2('getAddressInformation', { address: receiver })
    assert.deepEqual([balance, status], [result.balance, 'uninit'])
    // Three times a quarter, less a trifle for storage.
    assert.equal(Math.round(Number(balance) / 1e6), 750)
    await refuse(url, 'message', {}, 401, 'boc is required')
    await refuse(url, 'message', { boc: '' }, 401, 'boc is required')
    await refuse(url, 'message', '{"boc":', 422, /./)
    await refuse(url, 'message', '[]', 422, /./)
    for (const boc of ['not base64', 'AAAA', bagOf(beginCell().storeUint(1, 32).endCell())]) {
      const { code, error } = await v2('sendBocReturnHash', { boc })
      await refuse(url, 'message', { boc }, code, error)
    }
    const typed = await fetch(`${url}/api/v3/message`, { method: 'POST', body: '{"boc":"AAAA"}' })
    assert.equal(typed.status, 422)
    assert.equal((await getV3(`${url}/api/v3`, 'message')).status, 405)
  })

  await t.test('fees are those of v2', async () => {
    const owner = await openWallet('v4r2')
    const body = bagOf(bodyOf(owner, 1, `0:${'7E'.repeat(32)}`))
    for (const ignore_chksig of [undefined, true, false]) {
      const args = { address: owner.raw, body, ...(ignore_chksig !== undefined && { ignore_chksig }) }
      const { source_fees, destination_fees } = await postBothWays(url, 'estimateFee', args)
      const { result } = await v2('estimateFee', { ...args, ignore_chksig: ignore_chksig ?? false })
      assert.deepEqual({ '@type': 'fees', ...source_fees }, result.source_fees)
      assert.ok(source_fees.gas_fee > 0)
      assert.deepEqual(destination_fees, [])
    }
    const { wallet, raw } = await openWallet('v5r1')
    const init = { init_code: bagOf(wallet.init.code!), init_data: bagOf(wallet.init.data!) }
    const fresh = await postBothWays(url, 'estimateFee', { address: raw, body, ...init, ignore_chksig: true })
    assert.ok(fresh.source_fees.in_fwd_fee > 0)
    await refuse(url, 'estimateFee', { address: raw }, 422, 'body is required')
    await refuse(url, 'estimateFee', { body }, 422, 'address is required')
    await refuse(url, 'estimateFee', { address: raw, body, ignore_chksig: 'x' }, 422, /"ignore_chksig"$/)
    for (const bad of [
      { address: 'x', body },
      { address: raw, body: 'AAAA' },
    ]) {
      const { code, error } = await v2('estimateFee', bad)
      await refuse(url, 'estimateFee', bad, code, error)
    }
  })

  await t.test('get-methods, and the values that they take and leave', async () => {
    const alice = (await openWallet('v4r2')).raw
    const run = (body: object): Promise<Json> => postBothWays(url, 'runGetMethod', { ...body })
    const plugins = await run({ address: alice, method: 'get_plugin_list' })
    assert.deepEqual([plugins.exit_code, plugins.stack], [0, [{ type: 'list', value: [] }]])
    const missing = await run({ address: alice, method: 'no_such_method', stack: [] })
    assert.equal(missing.exit_code, 11)
    const elector = `-1:${'3'.repeat(64)}`
    const elections = await run({ address: elector, method: 'past_elections_list', stack: [] })
    const told = (await v2('runGetMethod', { address: elector, method: 'past_elections_list', stack: [] })).result
    assert.deepEqual([elections.gas_used, elections.exit_code], [told.gas_used, told.exit_code])
    const address = beginCell()
      .storeAddress((await openWallet('v3r2')).wallet.address)
      .endCell()
    for (const value of ['5', '0x5', '-0x5']) {
      const arg = { type: 'num', value }
      const installed = await run({
        address: alice,
        method: 'is_plugin_installed',
        stack: [arg, { type: 'num', value: '7' }],
      })
      assert.deepEqual(installed.stack, [{ type: 'num', value: '0x0' }])
    }
    for (const type of ['cell', 'slice']) {
      const { exit_code } = await run({ address: alice, method: 'seqno', stack: [{ type, value: bagOf(address) }] })
      assert.equal(exit_code, 0)
    }
    await refuse(url, 'runGetMethod', { method: 'seqno' }, 401, 'address is required')
    await refuse(url, 'runGetMethod', { address: alice }, 401, 'method is required')
    await refuse(url, 'runGetMethod', { address: alice, method: 85143 }, 422, /"method"$/)
    await refuse(url, 'runGetMethod', { address: alice, method: 'seqno', stack: {} }, 422, /"stack"$/)
    await refuse(url, 'runGetMethod', { address: alice, method: 'seqno', stack: [['num', '1']] }, 422, /"stack"$/)
    const tuple = [{ type: 'tuple', value: [] }]
    const text = 'unsupported stack parameter type: tuple'
    await refuse(url, 'runGetMethod', { address: alice, method: 'seqno', stack: tuple }, 500, text)
    const bad = { address: 'x', method: 'seqno', stack: [] }
    await refuse(url, 'runGetMethod', bad, 500, (await v2('runGetMethod', bad)).error)
    const wrong = { address: alice, method: 'seqno', stack: [{ type: 'cell', value: 'AAAA' }] }
    await refuse(url, 'runGetMethod', wrong, 500, /./)
  })

  await t.test('integers of 257 bits are taken, and no others, in v3 as in v2', async () => {
    const address = (await openWallet('v4r2')).raw
    for (const value of takenIntegers) {
      const stack = [{ type: 'num', value }]
      const { exit_code } = await postBothWays(url, 'runGetMethod', { address, method: 'seqno', stack })
      assert.equal(exit_code, 0, value)
    }
    for (const value of refusedIntegers) {
      const error = `Invalid number: ${value}`
      const told = await v2('runGetMethod', { address, method: 'seqno', stack: [['num', value]] })
      assert.deepEqual([told.code, told.error], [422, error])
      await refuse(url, 'runGetMethod', { address, method: 'seqno', stack: [{ type: 'num', value }] }, 500, error)
    }
  })

  await t.test('a server with an index alone says so', async () => {
    const alone = await serveV3(t, await openFreshDatabase(t))
    const text = /^This server has no liteserver/
    await refuse(alone.url, 'message', { boc: 'te6ccgEBAQEAAgAAAA==' }, 500, text)
    await refuse(alone.url, 'runGetMethod', { address: 'x', method: 'y' }, 500, text)
    await refuse(alone.url, 'estimateFee', { address: 'x', body: 'y' }, 500, text)
    const { status } = await getV3(`${alone.url}/api/v3`, 'addressInformation', {
      address: `0:${'00'.repeat(32)}`,
      use_v2: true,
    })
    assert.equal(status, 500)
  })
  assert.deepEqual(service.logLines, [])
})
