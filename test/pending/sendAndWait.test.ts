import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { AccessControl } from '../../src/api/core/AccessControl.ts'
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import { createV2Proxy, openV2 } from '../../src/cli/serve/openV2.ts'
import { openV3 } from '../../src/cli/serve/openV3.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { readMessage, writeMessage } from '../../src/codec/tlb/Message.ts'
import { jettonTransferBody, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { request } from '../../src/devnet/demo/DemoStep.ts'
import { signTransfer, type TransferOrder } from '../../src/devnet/wallets/signTransfer.ts'
import { formatUpperRawAddress } from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { assertDescribed } from '../support/openApiCheck.ts'
import { openOwnParts } from '../support/openOwnPending.ts'
import { type PendingNetwork, startPendingNetwork } from '../support/pendingNetwork.ts'
import { postV2, rpcV2 } from '../support/v2Client.ts'
import { startV2Network } from '../support/v2Service.ts'
import { type Json, postV3 } from '../support/v3Client.ts'
import { waitUntil } from '../support/waitUntil.ts'

const GRAM = 1_000_000_000n

const find = ({ plan }: PendingNetwork, name: string) => plan.accounts.find((account) => account.name === name)!

const order = async (network: PendingNetwork, name: string, more: Partial<TransferOrder> = {}): Promise<Cell> => {
  const { wallet, key } = find(network, name)
  return signTransfer(wallet, key, {
    seqno: await network.findSeqno(find(network, name)),
    validUntil: network.network.controls.getStatus().utime + 60,
    messages: [{ destination: find(network, 'judy').wallet.address, value: GRAM, bounce: false }],
    ...more,
  })
}

const bocOf = (message: Cell): string => toBase64(encodeBoc([message]))

/** The answer of v3, in one of the dialects. */
const send = async (network: PendingNetwork, message: Cell, args: object = {}, prefix = '/api/v3'): Promise<Json> => {
  const base = `${network.network.url}${prefix}`
  const { status, body } = await postV3(base, 'sendAndWait', { boc: bocOf(message), ...args })
  assert.equal(status, 200, JSON.stringify(body))
  await assertDescribed({ base, name: 'sendAndWait', method: 'post', status, body })
  return body
}

/** Makes blocks until the work is done. */
const mineDuring = async <T>({ network }: PendingNetwork, work: Promise<T>): Promise<T> => {
  let isDone = false
  const end = (): void => {
    isDone = true
  }
  work.then(end, end)
  while (!isDone) {
    await delay(100)
    await network.controls.mine(1)
  }
  return work
}

test('a message is sent, and its sender is told what became of it', { timeout: 240_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const network = await startPendingNetwork(t, databaseUrl, { shards: 2 })
  await t.test('executed, with all that it led to', () => beExecuted(network))
  await t.test('by the live interface', () => useV2(network))
  await t.test('not accepted: a wrong signature', () => beRefused(network))
  await t.test('expired: its seqno is used, or its time is over', () => beExpired(network))
  await t.test('two callers send the same message', () => sendTwice(network))
  await t.test('the same message in another outer form is the same trace', () => sendOtherForm(network))
  await t.test('the time is up', () => runOutOfTime(network))
  await t.test('200 callers wait without queries', (each) => waitTogether(each, network, databaseUrl))
  await t.test('what is refused', () => refuseArguments(network))
  await t.test('a caller may wait for a few; one who leaves waits no longer', (each) =>
    limitCaller(each, network, databaseUrl),
  )
})

const beExecuted = async (network: PendingNetwork): Promise<void> => {
  for (const prefix of ['/api/v3', '/ton/api/v3']) {
    const { plan } = network
    const [bob, carol] = [find(network, 'bob'), find(network, 'carol')]
    const body = jettonTransferBody({
      queryId: 7n,
      amount: GRAM,
      destination: carol.wallet.address,
      responseDestination: bob.wallet.address,
      forwardAmount: 10_000_000n,
      forwardPayload: undefined,
    })
    const messages = [request(jettonWalletAddress(bob.wallet.address, plan.jetton.address), body)]
    const message = await order(network, 'bob', { messages })
    const answer = await mineDuring(network, send(network, message, { include_actions: true }, prefix))
    assert.deepEqual([answer.status, answer.exit_code, answer.error], ['finalized', null, null])
    const { traces } = await network.ask('traces', { msg_hash: answer.message_hash_norm, include_actions: true })
    assert.equal(traces[0].trace_id, answer.trace_id)
    assert.deepEqual(
      answer.transactions.map(({ hash }: Json) => hash),
      traces[0].transactions_order,
    )
    assert.equal(answer.transactions.length, 5)
    if (prefix === '/api/v3') assert.deepEqual(answer.actions, traces[0].actions)
    assert.deepEqual(
      answer.actions.map(({ type }: Json) => type),
      ['jetton_transfer'],
    )
    assert.equal(answer.total_fees, String(feesOf(answer.transactions)))
    assert.ok(answer.address_book[formatUpperRawAddress(bob.wallet.address)] !== undefined)
  }
}

const feesOf = (transactions: readonly Json[]): bigint =>
  transactions.reduce(
    (sum, { total_fees, out_msgs }) =>
      out_msgs.reduce((all: bigint, { fwd_fee }: Json) => all + BigInt(fwd_fee ?? 0), sum + BigInt(total_fees)),
    0n,
  )

const useV2 = async (network: PendingNetwork): Promise<void> => {
  for (const prefix of ['/api/v2', '/ton/api/v2']) {
    const base = `${network.network.url}${prefix}`
    const first = await order(network, 'alice')
    const rest = await mineDuring(network, postV2(base, 'sendBocAndWait', { boc: bocOf(first) }))
    assert.equal(rest.status, 200, JSON.stringify(rest.body))
    await assertDescribed({ base, name: 'sendBocAndWait', method: 'post', status: 200, body: rest.body })
    const { result } = rest.body
    assert.equal(result.status, 'finalized')
    assert.equal(result.transaction.transaction_id.hash, result.trace_id)
    assert.equal(result.transactions.length, 2)
    assert.equal(result.transactions[0].hash, result.trace_id)
    assert.equal(result.transactions[0].account, formatUpperRawAddress(find(network, 'alice').wallet.address))
    // It was executed before, and is found again.
    const again = await rpcV2(base, 'sendBocAndWait', { boc: bocOf(first) })
    assert.deepEqual(again.body.result, result)
    const second = await order(network, 'alice')
    const rpc = await mineDuring(network, rpcV2(base, 'sendBocAndWait', { boc: bocOf(second) }))
    assert.equal(rpc.body.result.status, 'finalized')
  }
}

const beRefused = async (network: PendingNetwork): Promise<void> => {
  const { wallet } = find(network, 'carol')
  const { key } = find(network, 'bob')
  const message = signTransfer(wallet, key, {
    seqno: await network.findSeqno(find(network, 'carol')),
    validUntil: network.network.controls.getStatus().utime + 60,
    messages: [{ destination: wallet.address, value: GRAM, bounce: false }],
  })
  const answer = await send(network, message, { include_actions: true })
  assert.equal(answer.status, 'not_accepted')
  assert.ok(answer.exit_code > 0)
  assert.match(answer.error, new RegExp(`External message was not accepted.*exitcode=${answer.exit_code}`, 's'))
  assert.deepEqual([answer.trace_id, answer.transactions, answer.actions, answer.total_fees], [null, [], [], null])
}

const beExpired = async (network: PendingNetwork): Promise<void> => {
  for (const name of ['alice', 'bob', 'carol']) {
    const seqno = await network.findSeqno(find(network, name))
    const used = await send(network, await order(network, name, { seqno: seqno - 1, messages: [] }))
    assert.deepEqual([used.status, used.trace_id], ['expired', null], `${name}: ${JSON.stringify(used)}`)
    assert.ok(used.exit_code > 0)
    assert.match(used.error, /another message with this seqno/)
    const validUntil = network.network.controls.getStatus().utime - 5
    const old = await send(network, await order(network, name, { validUntil }))
    assert.equal(old.status, 'expired')
    assert.match(old.error, /valid_until has passed/)
  }
  // Another message took its place while its sender waited.
  const { controls } = network.network
  await controls.disturb({ kind: 'delay', blocks: 30 })
  const late = send(network, await order(network, 'alice'), { timeout: 60 })
  await delay(300)
  const quick = await order(network, 'alice', { messages: [] })
  const [lost, won] = await mineDuring(network, Promise.all([late, send(network, quick)]))
  assert.equal(won.status, 'finalized')
  assert.equal(lost.status, 'expired', JSON.stringify(lost))
  assert.match(lost.error, /another message in its place/)
}

const sendTwice = async (network: PendingNetwork): Promise<void> => {
  const message = await order(network, 'carol')
  const answers = await mineDuring(network, Promise.all([send(network, message), send(network, message)]))
  assert.equal(answers[0].status, 'finalized')
  assert.deepEqual(answers[1], answers[0])
  assert.deepEqual(await send(network, message), answers[0], 'it is found again')
}

const sendOtherForm = async (network: PendingNetwork): Promise<void> => {
  const message = await order(network, 'bob')
  const read = readWhole(message, readMessage, 'A message')
  assert.ok(read.info.kind === 'externalIn')
  const other = writeWhole(writeMessage, { ...read, info: { ...read.info, importFee: 1n } })
  const answers = await mineDuring(network, Promise.all([send(network, message), send(network, other)]))
  const [one, two] = answers
  assert.equal(one.status, 'finalized')
  assert.notEqual(one.message_hash, two.message_hash)
  assert.deepEqual({ ...two, message_hash: one.message_hash }, one)
}

const runOutOfTime = async (network: PendingNetwork): Promise<void> => {
  const { controls } = network.network
  await controls.disturb({ kind: 'delay', blocks: 5 })
  const message = await order(network, 'carol')
  const begun = performance.now()
  const answer = await send(network, message, { timeout: 1, include_actions: true })
  const ms = performance.now() - begun
  assert.ok(ms > 990 && ms < 4000, `${ms} ms`)
  assert.deepEqual([answer.status, answer.trace_id, answer.error], ['pending', null, null])
  assert.deepEqual(
    answer.transactions.map(({ emulated, finality }: Json) => [emulated, finality]),
    [
      [true, 'pending'],
      [true, 'pending'],
    ],
  )
  assert.equal(answer.actions.length, 1)
  // What the accounts had together is less by the fees. Emulated states are all known.
  const paid = answer.transactions.reduce(
    (sum: bigint, { account_state_before: before, account_state_after: after }: Json) =>
      sum + BigInt(before.balance) - BigInt(after.balance),
    0n,
  )
  assert.equal(answer.total_fees, String(paid))
  const quick = await send(network, message, { until: 'pending', timeout: 20 })
  assert.equal(quick.status, 'pending')
  assert.equal(quick.transactions.length, 2)
  const final = await mineDuring(network, send(network, message))
  assert.equal(final.status, 'finalized')
}

/** Transactions that the database has committed or rolled back. */
const countStatements = async (client: pg.Client, ms: number): Promise<number> => {
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0]!.count)
  }
  const before = await read()
  await delay(ms)
  return (await read()) - before
}

const waitTogether = async (t: TestContext, network: PendingNetwork, databaseUrl: string): Promise<void> => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { controls } = network.network
    await controls.disturb({ kind: 'delay', blocks: 3 })
    const message = await order(network, 'alice')
    const first = send(network, message, { timeout: 60 })
    await delay(1000)
    const alone = await countStatements(client, 2000)
    const others = Array.from({ length: 199 }, () => send(network, message, { timeout: 60 }))
    await delay(2000)
    const together = await countStatements(client, 2000)
    t.diagnostic(`statements in 2 s: ${alone} with 1 caller, ${together} with 200`)
    assert.ok(together < alone + 100, `${alone} with 1 caller, ${together} with 200`)
    const answers = await mineDuring(network, Promise.all([first, ...others]))
    for (const answer of answers) assert.equal(answer.status, 'finalized')
    assert.equal(new Set(answers.map(({ trace_id }) => trace_id)).size, 1)
  } finally {
    await client.end()
  }
}

const refuseArguments = async (network: PendingNetwork): Promise<void> => {
  const base = `${network.network.url}/api/v3`
  const boc = bocOf(await order(network, 'alice'))
  for (const [args, status] of [
    [{}, 401],
    [{ boc: 'AAAA' }, 500],
    [{ boc, timeout: 121 }, 422],
    [{ boc, timeout: -1 }, 422],
    [{ boc, until: 'confirmed' }, 422],
  ] as const) {
    const answer = await postV3(base, 'sendAndWait', args)
    assert.equal(answer.status, status, JSON.stringify([args, answer.body]).slice(0, 500))
    assert.equal(typeof answer.body.error, 'string')
  }
}

/** All requests are those of one caller without a key. */
const oneCaller: AccessControl = {
  admit: () => ({ refusal: undefined, headers: [], key: undefined, pool: undefined, plan: 'anonymous', caller: 'x' }),
}

const limitCaller = async (t: TestContext, network: PendingNetwork, databaseUrl: string): Promise<void> => {
  const { node, vm, database, logger, logLines, openPending } = await openOwnParts(t, network, databaseUrl)
  const pending = openPending()
  const v2 = openV2({ node, vm, dialect: 'chain', onSent: pending.onSent, confirmations: pending.confirmations })
  const live = createV2Proxy(v2.mounts[0]!)
  const v3 = await openV3({ database, pending: pending.traces, live, dialect: 'chain', settings: { testOnly: false } })
  const mounts = [...v2.mounts, ...v3.mounts]
  const server = await createHttpServer({ mounts, logger, host: '127.0.0.1', port: 0, accessControl: oneCaller })
  t.after(() => server.close())
  await network.network.controls.disturb({ kind: 'delay', blocks: 100 })
  const boc = bocOf(await order(network, 'bob'))
  const ask = (path: string, timeout: number, signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ boc, timeout }),
      ...(signal !== undefined && { signal }),
    })
  const paths = ['/api/v3/sendAndWait', '/api/v2/sendBocAndWait']
  await waitUntil('the index is open', async () => (await ask(paths[0]!, 0)).status === 200)
  const leaving = new AbortController()
  const waiting = [0, 1, 2].map((k) => ask(paths[k % 2]!, 6))
  const left = ask(paths[0]!, 6, leaving.signal).catch((error: unknown) => error)
  const refused: Response[] = []
  await waitUntil('too many wait', async () => {
    const answer = await ask(paths[refused.length]!, 0)
    if (answer.status === 429) refused.push(answer)
    return refused.length === 2
  })
  for (const answer of refused) {
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.match(((await answer.json()) as Json).error, /at most 4 messages at a time/)
  }
  leaving.abort()
  assert.ok((await left) instanceof Error)
  await waitUntil('there is room again', async () => (await ask(paths[0]!, 0)).status === 200)
  for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200)
  assert.deepEqual(logLines, [])
}

test('without an index nobody knows what became of a message', async (t) => {
  const service = await startV2Network()
  t.after(() => service.close())
  const { status, body } = await postV2(`${service.url}/api/v2`, 'sendBocAndWait', { boc: 'te6ccgEBAQEAAgAAAA==' })
  assert.equal(status, 503)
  assert.match(body.error, /has no index/)
})
