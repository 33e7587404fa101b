import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { jettonTransferBody, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { commentBody, outgoingMessageCell } from '../../src/devnet/contracts/messages.ts'
import { request } from '../../src/devnet/demo/DemoStep.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { type PendingNetwork, startPendingNetwork } from '../support/pendingNetwork.ts'
import { address, amount } from '../support/sampleMessages.ts'
import type { Json } from '../support/v3Client.ts'
import { codeOf } from '../support/vmSamples.ts'

const GRAM = 1_000_000_000n

/** What a forecast must agree with the chain in. */
const describe = (trace: Json): Json => {
  const views: Json[] = Object.values(trace.transactions)
  const describeTree = ({ tx_hash, children }: Json): Json => {
    const view = views.find(({ hash }) => hash === tx_hash)
    const { description: d } = view
    return {
      account: view.account,
      value: view.in_msg.value,
      opcode: view.in_msg.opcode,
      sent: view.out_msgs.map(({ destination, value, bounced }: Json) => [destination, value, bounced]),
      exit: d.compute_ph.skipped ? d.compute_ph.reason : d.compute_ph.exit_code,
      action: d.action?.result_code,
      aborted: d.aborted,
      status: [view.orig_status, view.end_status],
      // Who of two is first where the blocks decide.
      children: children.map(describeTree).sort((a: Json, b: Json) => (a.account < b.account ? -1 : 1)),
    }
  }
  return describeTree(trace.trace)
}

const untilPending = async ({ ask, sent }: PendingNetwork): Promise<{ readonly trace: Json; readonly ms: number }> => {
  const { hash, sentAt } = sent.at(-1)!
  for (;;) {
    const { traces } = await ask('pendingTraces', { ext_msg_hash: hash })
    const ms = performance.now() - sentAt
    if (traces.length > 0) return { trace: traces[0], ms }
    assert.ok(ms < 20_000, 'it is not foreseen')
    await delay(5)
  }
}

const untilFinal = async ({ ask, sent }: PendingNetwork): Promise<Json> => {
  for (let tries = 0; ; tries++) {
    const { traces } = await ask('traces', { msg_hash: sent.at(-1)!.hash, include_actions: true })
    if (traces.length > 0 && traces[0].actions.length > 0) return traces[0]
    assert.ok(tries < 400, 'it is not indexed')
    await delay(25)
  }
}

test('what is sent is foreseen, and comes as it was foreseen', { timeout: 180_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startPendingNetwork(t, await freshDatabase(t), { shards: 4 })
  const { plan, sender, ask, sent } = network
  const { controls } = network.network
  const [alice, bob, carol] = [plan.accounts[0]!, plan.accounts[1]!, plan.accounts[2]!]
  // Each sends on what it got to the next; the last is a wallet.
  const forwarders = [1, 2, 3, 4].map((number) => address(0, 0xf0 + number))
  for (const [k, at] of forwarders.entries()) {
    const next = forwarders[k + 1] ?? carol.wallet.address
    const data = outgoingMessageCell({ destination: next, value: 0n, bounce: true })
    const init = contractInit(codeOf('ff00ed448040fb00'), data)
    await controls.setAccount({ address: at, balance: amount(GRAM), state: { kind: 'active', init } })
  }
  await network.catchUp()
  const cases: readonly [string, number, () => Promise<void>][] = [
    [
      'transfer',
      2,
      () =>
        sender.send(alice, [
          { destination: bob.wallet.address, value: GRAM, bounce: false, body: commentBody('hello') },
        ]),
    ],
    [
      'jetton transfer',
      5,
      () =>
        sender.send(bob, [
          request(
            jettonWalletAddress(bob.wallet.address, plan.jetton.address),
            jettonTransferBody({
              queryId: 7n,
              amount: 5n * GRAM,
              destination: carol.wallet.address,
              responseDestination: bob.wallet.address,
              forwardAmount: 10_000_000n,
              forwardPayload: commentBody('for you'),
            }),
          ),
        ]),
    ],
    ['cascade', 6, () => sender.send(carol, [{ destination: forwarders[0]!, value: GRAM, bounce: true }])],
    [
      'bounce and deployment',
      4,
      () =>
        sender.send(alice, [
          { destination: address(0, 0xabcdef), value: GRAM, bounce: true },
          { destination: address(0, 0xabcdee), value: GRAM, bounce: false },
        ]),
    ],
  ]
  for (const [name, count, send] of cases) {
    await send()
    const { trace, ms } = await untilPending(network)
    t.diagnostic(
      `${name}: pending ${Math.round(ms)} ms after it was sent, ${Object.keys(trace.transactions).length} transactions`,
    )
    assert.ok(ms < 5000, `${name} took ${ms} ms`)
    assert.equal(trace.trace_id, null)
    assert.equal(trace.mc_seqno_start, '0')
    assert.equal(trace.external_hash, sent.at(-1)!.hash)
    assert.deepEqual([trace.trace_info.trace_state, trace.trace_info.classification_state], ['pending', 'ok'])
    assert.equal(trace.transactions_order.length, count, JSON.stringify(describe(trace), undefined, 1))
    for (const view of Object.values<Json>(trace.transactions))
      assert.deepEqual([view.emulated, view.finality], [true, 'pending'])
    // By account, by the other hash, and apart.
    const { normalHash } = sent.at(-1)!
    const [first] = Object.values<Json>(trace.transactions)
    for (const question of [{ ext_msg_hash: normalHash }, { account: first.account }]) {
      assert.deepEqual((await ask('pendingTraces', question)).traces, [trace])
    }
    const { transactions } = await ask('pendingTransactions', { account: first.account })
    assert.ok(transactions.some(({ hash }: Json) => hash === first.hash))
    const { actions } = await ask('pendingActions', { ext_msg_hash: normalHash })
    assert.deepEqual(actions.map(({ type }: Json) => type).sort(), trace.actions.map(({ type }: Json) => type).sort())
    assert.deepEqual((await ask('traces', { msg_hash: normalHash })).traces, [])

    for (let k = 0; k < 8; k++) await controls.mine(1)
    const final = await untilFinal(network)
    assert.deepEqual(describe(final), describe(trace), name)
    assert.deepEqual(
      final.actions.map(({ type, success, details }: Json) => ({ type, success, details })),
      trace.actions.map(({ type, success, details }: Json) => ({ type, success, details })),
    )
    assert.deepEqual((await ask('pendingTraces', { ext_msg_hash: normalHash })).traces, [])
    assert.deepEqual((await ask('pendingActions', { ext_msg_hash: normalHash })).actions, [])
  }
})
