import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { jettonTransferBody, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { request } from '../../src/devnet/demo/DemoStep.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { type PendingNetwork, startPendingNetwork } from '../support/pendingNetwork.ts'
import type { Json } from '../support/v3Client.ts'

const GRAM = 1_000_000_000n

const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; ; tries++) {
    const found = await look()
    if (found !== undefined) return found
    assert.ok(tries < 600, what)
    await delay(25)
  }
}

const pendingOf = async ({ ask }: PendingNetwork, hash: string): Promise<Json | undefined> =>
  (await ask('pendingTraces', { ext_msg_hash: hash })).traces[0]

const finalOf = async ({ ask }: PendingNetwork, hash: string): Promise<Json | undefined> =>
  (await ask('traces', { msg_hash: hash })).traces[0]

const find = ({ plan }: PendingNetwork, name: string): DevAccount => plan.accounts.find((each) => each.name === name)!

test('a trace becomes real step by step; what cannot happen any more disappears', { timeout: 180_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startPendingNetwork(t, await freshDatabase(t), { shards: 2 })
  await t.test('step by step', () => becomeReal(network))
  await t.test('another message took its place', () => loseTheRace(network))
  await t.test('it is no longer valid', () => growOld(network))
  await t.test('somebody else changed what it hangs on', () => followOthers(network))
})

const becomeReal = async (network: PendingNetwork): Promise<void> => {
  const { plan, sender, ask, sent } = network
  const { controls } = network.network
  const [bob, carol] = [find(network, 'bob'), find(network, 'carol')]
  const body = jettonTransferBody({
    queryId: 7n,
    amount: GRAM,
    destination: carol.wallet.address,
    responseDestination: bob.wallet.address,
    forwardAmount: 10_000_000n,
    forwardPayload: undefined,
  })
  await sender.send(bob, [request(jettonWalletAddress(bob.wallet.address, plan.jetton.address), body)])
  const { hash } = sent.at(-1)!
  const foreseen = await until('foreseen', () => pendingOf(network, hash))
  assert.equal(foreseen.transactions_order.length, 5)
  // The first is real, and what it sent is held back.
  await controls.disturb({ kind: 'holdInternal', blocks: 1 })
  await controls.mine(1)
  const begun = await until('it has begun', async () => {
    const trace = await pendingOf(network, hash)
    assert.ok(trace !== undefined, 'it is lost')
    return trace.trace_id === null ? undefined : trace
  })
  const views: Json[] = begun.transactions_order.map((each: string) => begun.transactions[each])
  assert.deepEqual(
    views.map(({ emulated, finality }) => [emulated, finality]),
    [[false, 'finalized'], ...Array.from({ length: 4 }, () => [true, 'pending'])],
  )
  for (const { trace_id } of views) assert.equal(trace_id, begun.trace_id)
  assert.equal(begun.trace_id, views[0].hash)
  assert.equal(begun.trace.tx_hash, views[0].hash)
  assert.equal(begun.warning, undefined)
  assert.equal(begun.mc_seqno_start, String(views[0].mc_block_seqno))
  assert.deepEqual(
    begun.actions.map(({ type, details, finality }: Json) => [type, details, finality]),
    foreseen.actions.map(({ type, details, finality }: Json) => [type, details, finality]),
  )
  // The real message is the one that the next is foreseen to receive.
  assert.equal(begun.trace.children[0].in_msg_hash, views[0].out_msgs[0].hash)
  const { transactions } = await ask('pendingTransactions', { trace_id: begun.trace_id })
  assert.equal(transactions.length, 4)
  assert.equal(await finalOf(network, hash), undefined)
  await controls.mine(6)
  const final = await until('final', () => finalOf(network, hash))
  assert.equal(final.trace_id, begun.trace_id)
  assert.equal(await pendingOf(network, hash), undefined)
}

const orderOf = async (network: PendingNetwork, from: DevAccount, value: bigint, validFor = 60): Promise<Cell> => {
  const messages = [{ destination: find(network, 'judy').wallet.address, value, bounce: false }]
  const validUntil = network.network.controls.getStatus().utime + validFor
  return signTransfer(from.wallet, from.key, { seqno: await network.findSeqno(from), validUntil, messages })
}

const loseTheRace = async (network: PendingNetwork): Promise<void> => {
  const { controls } = network.network
  const alice = find(network, 'alice')
  await controls.disturb({ kind: 'delay', blocks: 30 })
  await network.send(await orderOf(network, alice, GRAM))
  const late = network.sent.at(-1)!.hash
  await until('the first is foreseen', () => pendingOf(network, late))
  await network.send(await orderOf(network, alice, 2n * GRAM))
  const quick = network.sent.at(-1)!.hash
  await until('the second is foreseen', () => pendingOf(network, quick))
  assert.notEqual(await pendingOf(network, late), undefined)
  await controls.mine(4)
  await until('the second is final', () => finalOf(network, quick))
  await until('the first is gone', async () => ((await pendingOf(network, late)) === undefined ? true : undefined))
  assert.equal(await finalOf(network, late), undefined)
}

const growOld = async (network: PendingNetwork): Promise<void> => {
  const { controls } = network.network
  await controls.disturb({ kind: 'lose' })
  await network.send(await orderOf(network, find(network, 'carol'), GRAM, 4))
  const { hash } = network.sent.at(-1)!
  await until('it is foreseen', () => pendingOf(network, hash))
  await until('it is gone', async () => ((await pendingOf(network, hash)) === undefined ? true : undefined))
}

const exitsOf = ({ transactions }: Json): (number | string)[] =>
  Object.values<Json>(transactions)
    .map(({ description: { compute_ph: run } }) => (run.skipped ? run.reason : run.exit_code))
    .sort()

/** Jettons that somebody does not have yet are sent on, and come in the meantime. */
const followOthers = async (network: PendingNetwork): Promise<void> => {
  const { plan, ask, sent, findSeqno } = network
  const { controls } = network.network
  const bob = find(network, 'bob')
  const owners = plan.accounts.filter(({ name }) => !['alice', 'bob', 'carol'].includes(name))
  const { jetton_wallets: wallets } = await ask('jetton/wallets', {
    owner_address: owners.map(({ wallet }) => formatRawAddress(wallet.address)),
    limit: 100,
  })
  const has = new Set(wallets.map(({ owner }: Json) => owner))
  const poor = owners.find(({ wallet }) => !has.has(formatRawAddress(wallet.address).toUpperCase()))
  assert.ok(poor !== undefined, 'everybody has jettons')
  const order = async (from: DevAccount, to: DevAccount): Promise<Cell> => {
    const body = jettonTransferBody({
      queryId: 8n,
      amount: GRAM,
      destination: to.wallet.address,
      responseDestination: from.wallet.address,
      forwardAmount: 0n,
      forwardPayload: undefined,
    })
    const messages = [request(jettonWalletAddress(from.wallet.address, plan.jetton.address), body)]
    const validUntil = controls.getStatus().utime + 300
    return signTransfer(from.wallet, from.key, { seqno: await findSeqno(from), validUntil, messages })
  }
  await controls.disturb({ kind: 'delay', blocks: 30 })
  await network.send(await order(poor, bob))
  const late = sent.at(-1)!.hash
  const before = await until('it is foreseen', () => pendingOf(network, late))
  assert.deepEqual(exitsOf(before), [0, 0, 'no_state'])
  await network.send(await order(bob, poor))
  const quick = sent.at(-1)!.hash
  for (let k = 0; k < 5; k++) await controls.mine(1)
  await until('the jettons came', () => finalOf(network, quick))
  // Nothing of it is real, and still it is another.
  const after = await until('it is foreseen anew', async () => {
    const trace = await pendingOf(network, late)
    assert.ok(trace !== undefined, 'it is lost')
    return exitsOf(trace).includes('no_state') ? undefined : trace
  })
  assert.equal(after.trace_id, null)
  assert.deepEqual(exitsOf(after), [0, 0, 0, 0])
  await controls.mine(40)
  const final = await until('it is final', () => finalOf(network, late))
  assert.deepEqual(exitsOf(final), exitsOf(after))
}
