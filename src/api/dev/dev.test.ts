import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beginCell } from '@ton/core'
import { CallFailedError, createClient } from '../../../test/support/interfaceClient.ts'
import {
  balanceNow,
  closeSharedMachine,
  findAccountNow,
  startTestNetwork,
  TEST_START,
  type TestNetwork,
  transferOf,
} from '../../../test/support/testNetwork.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { createLogger } from '../../observe/Logger.ts'
import { type Address, formatFriendlyAddress, formatRawAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { createHttpServer } from '../core/createHttpServer.ts'
import type { ClientOf } from '../core/Interface.ts'
import { mount } from '../core/Mount.ts'
import { describeInterface } from '../core/openApi.ts'
import { dev } from './index.ts'

after(closeSharedMachine)

const GRAM = 1_000_000_000n
const nobody = (fill: number): Address => ({ workchain: 0, hash: new Uint8Array(32).fill(fill) })

type Served = {
  readonly network: TestNetwork
  readonly client: ClientOf<typeof dev>
  readonly url: string
  readonly log: string[]
}

/** A network of its own behind a real server, every result of which is held against its schema. */
const serve = async (t: TestContext): Promise<Served> => {
  const network = await startTestNetwork(t)
  const log: string[] = []
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => log.push(line) })
  const server = await createHttpServer({
    mounts: [mount(dev, () => network.controls, { checkResults: true })],
    logger,
    host: '127.0.0.1',
    port: 0,
  })
  t.after(() => server.close())
  return { network, client: createClient(dev, server.url), url: server.url, log }
}

const assertFails = (call: Promise<unknown>, status: number, code: string, message?: RegExp): Promise<void> =>
  assert.rejects(call, (error) => {
    assert.ok(error instanceof CallFailedError, String(error))
    const answer = error.answer as { ok: boolean; error: string; code: number; error_code: string }
    assert.deepEqual([error.status, answer.ok, answer.code, answer.error_code], [status, false, status, code])
    if (message !== undefined) assert.match(answer.error, message)
    return true
  })

test('the status says how the network stands', async (t) => {
  const { network, client, url } = await serve(t)
  const { head, shards } = network.controls.getStatus()
  assert.deepEqual(await client.status(), {
    head: {
      workchain: -1,
      shard: '8000000000000000',
      seqno: 1,
      root_hash: toBase64(head.rootHash),
      file_hash: toBase64(head.fileHash),
    },
    utime: TEST_START + 2,
    clock_offset: 0,
    mining: { mode: 'manual' },
    shards: shards.map(({ seqno, rootHash, fileHash }) => ({
      workchain: 0,
      shard: '8000000000000000',
      seqno,
      root_hash: toBase64(rootHash),
      file_hash: toBase64(fileHash),
    })),
    pending_shards: [],
    waiting_messages: 0,
  })
  const raw = (await (await fetch(`${url}/dev/status`)).json()) as { ok: boolean }
  assert.equal(raw.ok, true)
})

test('money, blocks and the clock', async (t) => {
  const { network, client, url } = await serve(t)
  const { message_hash: hash } = await client.faucet({
    address: formatFriendlyAddress(nobody(1)),
    amount: `${3n * GRAM}`,
  })
  assert.equal(Buffer.from(hash, 'base64').length, 32)
  await client.faucet({ address: formatRawAddress(nobody(2)) })
  assert.equal((await client.status()).waiting_messages, 2)
  assert.equal((await client.mine({ blocks: 2 })).head.seqno, 3)
  assert.equal(balanceNow(network, nobody(1)), 3n * GRAM)
  assert.equal(balanceNow(network, nobody(2)), 10n * GRAM)
  // Nothing in the body, the number in the address: as one types it into a shell.
  const typed = await fetch(`${url}/dev/mine?blocks=3`, { method: 'POST' })
  assert.deepEqual(((await typed.json()) as { result: { head: { seqno: number } } }).result.head.seqno, 6)
  const before = await client.status()
  const moved = await client.clock({ seconds: 86_400 })
  assert.deepEqual([moved.utime - before.utime, moved.clock_offset], [86_400, 86_400])

  await assertFails(
    client.faucet({ address: 'nobody' }),
    422,
    'invalid_params',
    /^Parameter address: Expected an address/,
  )
  await assertFails(client.faucet({ address: formatRawAddress(nobody(1)), amount: '1.5' }), 422, 'invalid_params')
  await assertFails(client.faucet({ address: formatRawAddress(nobody(1)), amount: '0' }), 422, 'dev_input_invalid')
  await assertFails(client.faucet({ address: `5:${'00'.repeat(32)}` }), 422, 'dev_input_invalid', /workchain 0 or -1/)
  await assertFails(client.mine({ blocks: 0 }), 422, 'invalid_params')
  await assertFails(client.mine({ blocks: 10_001 }), 422, 'invalid_params')
  await assertFails(client.clock({ seconds: -1 }), 422, 'invalid_params')
})

test('shard blocks wait for their masterchain block, and are replaced', async (t) => {
  const { network, client } = await serve(t)
  const { mining } = await client.mining({ mode: 'manual', commit_delay_ms: 600_000 })
  assert.deepEqual(mining, { mode: 'manual', commit_delay_ms: 600_000 })
  await assertFails(client.commit(), 422, 'dev_input_invalid', /^No shard block waits/)
  await assertFails(client.replace(), 422, 'dev_input_invalid')
  const { message_hash: hash } = await client.faucet({ address: formatRawAddress(nobody(1)), amount: `${GRAM}` })
  const mined = client.mine()
  await waitUntil('the shard block is there', async () => (await client.status()).pending_shards.length === 1)
  const { head, pending_shards: before } = await client.status()
  await assertFails(
    client.replace({ messages: ['00'.repeat(32)] }),
    422,
    'dev_input_invalid',
    /^No pending shard block/,
  )
  const { blocks } = await client.replace({ messages: [hash] })
  assert.deepEqual([blocks.length, blocks[0]!.seqno], [1, before[0]!.seqno])
  assert.notEqual(blocks[0]!.root_hash, before[0]!.root_hash)
  assert.deepEqual((await client.commit()).head, (await mined).head)
  assert.equal(balanceNow(network, nobody(1)), 0n)
  const after = await client.status()
  assert.deepEqual([after.head.seqno, after.shards, after.pending_shards], [head.seqno + 1, blocks, []])
  // The message waits for the next block.
  assert.equal(after.waiting_messages, 1)
  await client.mining({ mode: 'manual' })
  await client.mine()
  assert.equal(balanceNow(network, nobody(1)), GRAM)
})

test('when blocks are made', async (t) => {
  const { client } = await serve(t)
  const interval = await client.mining({ mode: 'interval', interval_ms: 200, empty_blocks: false })
  assert.deepEqual(interval.mining, { mode: 'interval', interval_ms: 200, empty_blocks: false })
  assert.deepEqual((await client.mining({ mode: 'instant' })).mining, { mode: 'instant' })
  const address = formatRawAddress(nobody(1))
  await client.faucet({ address })
  while ((await client.status()).waiting_messages > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual((await client.mining({ mode: 'manual' })).mining, { mode: 'manual' })
  await assertFails(
    client.mining({ mode: 'manual', interval_ms: 500 }),
    422,
    'invalid_params',
    /go with the mode interval/,
  )
  await assertFails(client.mining({ mode: 'interval', interval_ms: 100 }), 422, 'invalid_params', /200 to 3600000/)
  // @ts-expect-error there is no such mode
  await assertFails(client.mining({ mode: 'often' }), 422, 'invalid_params', /"interval" or "instant" or "manual"/)
})

test('back in time', async (t) => {
  const { network, client } = await serve(t)
  const { id, head } = await client.snapshot()
  await client.faucet({ address: formatRawAddress(nobody(1)) })
  await client.mine({ blocks: 2 })
  assert.equal(balanceNow(network, nobody(1)), 10n * GRAM)
  assert.deepEqual((await client.revert({ id })).head, head)
  assert.equal(balanceNow(network, nobody(1)), 0n)
  await assertFails(client.revert({ id: 'no such' }), 404, 'dev_snapshot_not_found')
})

test('an account becomes what it shall be', async (t) => {
  const { network, client } = await serve(t)
  const address = formatRawAddress(nobody(7))
  const code = beginCell().storeUint(0xff00f800, 32).endCell()
  const data = beginCell().storeUint(5, 8).endCell()
  await client.account({
    address,
    balance: `${2n * GRAM}`,
    extra_currencies: { '100': '2500000', '4294967295': `${2n ** 200n}` },
    state: 'active',
    code: code.toBoc().toString('base64'),
    data: data.toBoc().toString('hex'),
  })
  const active = findAccountNow(network, nobody(7))!
  assert.equal(active.balance.grams, 2n * GRAM)
  assert.deepEqual(
    [...active.balance.extra.entries()],
    [
      [100, 2500000n],
      [4294967295, 2n ** 200n],
    ],
  )
  assert.ok(active.state.kind === 'active')
  assert.equal(toHex(active.state.init.code!.hash()), code.hash().toString('hex'))
  assert.equal(toHex(active.state.init.data!.hash()), data.hash().toString('hex'))
  await client.account({ address, state: 'frozen', state_hash: 'cd'.repeat(32) })
  const frozen = findAccountNow(network, nobody(7))?.state
  assert.ok(frozen?.kind === 'frozen')
  assert.equal(toHex(frozen.stateHash), 'cd'.repeat(32))
  assert.equal(balanceNow(network, nobody(7)), 2n * GRAM)
  await client.account({ address, state: 'none' })
  assert.equal(findAccountNow(network, nobody(7)), undefined)

  const wrong: [args: Omit<Parameters<typeof client.account>[0], 'address'>, message: RegExp][] = [
    [{}, /nothing to change/],
    [{ extra_currencies: { '1': '1' } }, /together with a balance/],
    [{ balance: '1', extra_currencies: { x: '1' } }, /a currency id/],
    [{ balance: '1', extra_currencies: { '1': '0' } }, /a decimal amount above 0/],
    [{ balance: '1', state: 'none' }, /has no balance/],
    [{ state: 'frozen' }, /go together/],
    [{ balance: '1', state_hash: '00'.repeat(32) }, /go together/],
    [{ state: 'uninit', code: code.toBoc().toString('base64') }, /go with the state active/],
    [{ state: 'active', code: 'te6cc!' }, /^Parameter code: Expected base64/],
    [{ state: 'active', code: 'b5ee9c7' }, /^Parameter code: Expected an even number of hex digits/],
    [{ state: 'active', code: '' }, /^Parameter code: /],
    [{ state: 'active', code: 'deadbeef' }, /^Parameter code: /],
  ]
  for (const [args, message] of wrong)
    await assertFails(client.account({ address, ...args }), 422, 'invalid_params', message)
})

test('speaking for others', async (t) => {
  const { network, client } = await serve(t)
  const [source, destination] = [formatRawAddress(nobody(3)), formatFriendlyAddress(nobody(4))]
  const { message_hash: hash } = await client.impersonate({
    source,
    destination,
    value: `${GRAM}`,
    bounce: false,
    comment: 'hello',
  })
  assert.equal(balanceNow(network, nobody(4)), GRAM)
  const { root, hashes } = newestTransaction(network, nobody(4))
  assert.equal(toBase64(hashes.inMessage), hash)
  const { log } = await client.log({ hash: toHex(root) })
  assert.equal(typeof log, 'string')
  const body = beginCell().storeUint(0, 32).storeStringTail('x').endCell().toBoc().toString('base64')
  await assertFails(
    client.impersonate({ source, destination, value: '1', body, comment: 'x' }),
    422,
    'invalid_params',
    /not both/,
  )
  await assertFails(client.impersonate({ source, destination, value: '1', state_init: body }), 422, 'invalid_params')
  await assertFails(client.log({ hash: '00'.repeat(32) }), 404, 'dev_transaction_not_found')
  await assertFails(client.log({ hash: 'x' }), 422, 'invalid_params')
})

test('messages are taken, refused, lost and delayed', async (t) => {
  const { network, client } = await serve(t)
  const [alice, bob] = network.accounts
  const transfer = transferOf(network, alice!, { seqno: 0, to: nobody(5) })
  const boc = toBase64(encodeBoc([transfer]))
  assert.deepEqual(await client.send({ boc }), { message_hash: toBase64(transfer.hash()) })
  await client.mine({ blocks: 2 })
  assert.equal(balanceNow(network, nobody(5)), GRAM)
  await assertFails(client.send({ boc }), 400, 'lite_refusal', /duplicate message$/)
  const early = toBase64(encodeBoc([transferOf(network, alice!, { seqno: 9, to: nobody(5) })]))
  await assertFails(client.send({ boc: early }), 400, 'lite_refusal', /External message was not accepted/)
  const { log } = await client.log({ hash: toBase64(newestTransaction(network, alice!.wallet.address).root) })
  assert.match(log, /execute ACCEPT/)

  const sendTwo = transferOf(network, bob!, { seqno: 0, to: nobody(6), value: 2n * GRAM })
  await client.disturb({ kind: 'lose' })
  await client.send({ boc: toHex(encodeBoc([transferOf(network, bob!, { seqno: 0, to: nobody(6) })])) })
  await client.mine({ blocks: 3 })
  assert.equal(balanceNow(network, nobody(6)), 0n)
  await client.disturb({ kind: 'delay', blocks: 2 })
  await client.send({ boc: toHex(encodeBoc([sendTwo])) })
  await client.mine({ blocks: 2 })
  assert.equal(balanceNow(network, nobody(6)), 0n)
  await client.mine({ blocks: 2 })
  assert.equal(balanceNow(network, nobody(6)), 2n * GRAM)
  assert.equal((await client.disturb({ kind: 'hold_internal', blocks: 1 })).mining.mode, 'manual')
  await assertFails(client.disturb({ kind: 'lose', blocks: 1 }), 422, 'invalid_params', /not lost for a number/)
  await client.reshard({ wish: 'split' })
})

test('the same by JSON-RPC, many calls in one request', async (t) => {
  const { network, url, log } = await serve(t)
  const address = formatRawAddress(nobody(8))
  const response = await fetch(`${url}/dev/jsonRPC`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'faucet', params: { address, amount: 5_000_000_000 } },
      { jsonrpc: '2.0', id: 2, method: 'mine', params: { blocks: 2 } },
      { jsonrpc: '2.0', id: 3, method: 'revert', params: { id: 'x' } },
    ]),
  })
  const answers = (await response.json()) as { id: number; error?: { code: number; data: unknown } }[]
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.code, error?.data]),
    [
      [1, undefined, undefined],
      [2, undefined, undefined],
      [3, -32000, { code: 'dev_snapshot_not_found' }],
    ],
  )
  assert.equal(balanceNow(network, nobody(8)), 5n * GRAM)
  assert.deepEqual(log, [])
})

test('no page of another origin drives the network', async (t) => {
  const { network, url } = await serve(t)
  const attempts: RequestInit[] = [
    { headers: { origin: 'http://evil.example', 'content-type': 'application/json' }, body: '{}' },
    { headers: { origin: 'http://evil.example', 'content-type': 'text/plain' }, body: '{}' },
    { headers: { origin: 'null' } },
    { headers: { 'sec-fetch-site': 'cross-site' } },
  ]
  for (const attempt of attempts) {
    const { status } = await fetch(`${url}/dev/mine`, { method: 'POST', ...attempt })
    assert.ok(status === 403 || status === 415, `${status}`)
  }
  assert.equal(network.controls.getStatus().head.seqno, 1)
})

test('the description is valid', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(describeInterface(dev))))
  assert.equal(valid, true, JSON.stringify(errors))
})

/** The newest transaction of an account and what it came from. */
const newestTransaction = (
  { store }: TestNetwork,
  { workchain, hash }: Address,
): { root: Uint8Array; hashes: { inMessage: Uint8Array } } => {
  for (let seqno = store.head!.id.seqno; seqno > 0; seqno--) {
    for (const { id } of [store.findMaster(seqno)!, ...store.index.listIncluded(seqno)]) {
      if (id.workchain !== workchain) continue
      const blocks = openAccountBlocks(openBlockExtra(openBlock(store.getRoot(id)).extra))
      const [, cell] = [...(blocks.find(hash)?.transactions.entries() ?? [])].at(-1) ?? []
      if (cell === undefined) continue
      return { root: cell.hash(), hashes: { inMessage: readTransaction(openCell(cell)).inMsg!.hash() } }
    }
  }
  throw new Error('The account has no transactions.')
}
