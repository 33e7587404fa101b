import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { jettonTransferBody, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { request } from '../../src/devnet/demo/DemoStep.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { startPendingNetwork } from '../support/pendingNetwork.ts'
import type { Json } from '../support/v3Oracle.ts'

const GRAM = 1_000_000_000n

test('a trace becomes real step by step; what cannot happen any more disappears', { timeout: 180_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startPendingNetwork(t, await freshDatabase(t), { shards: 2 })
  const { plan, sender, ask, sent, catchUp } = network
  const { controls } = network.network
  const [alice, bob, carol, judy] = ['alice', 'bob', 'carol', 'judy'].map(
    (name) => plan.accounts.find((account) => account.name === name)!,
  ) as [typeof plan.accounts[0], typeof plan.accounts[0], typeof plan.accounts[0], typeof plan.accounts[0]]
  const pendingOf = async (hash: string): Promise<Json | undefined> =>
    (await ask('pendingTraces', { ext_msg_hash: hash })).traces[0]
  const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      const found = await look()
      if (found !== undefined) return found
      assert.ok(tries < 400, what)
      await delay(25)
    }
  }

  // Its messages are held back, so that block by block one more of its transactions is real.
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
  const foreseen = await until('foreseen', () => pendingOf(hash))
  const count = foreseen.transactions_order.length
  assert.equal(count, 5)
  const seen: number[] = []
  for (let real = 0, blocks = 0; real < count; blocks++) {
    assert.ok(blocks < 20, `after ${blocks} blocks: ${seen}`)
    await controls.disturb({ kind: 'holdInternal', blocks: 1 })
    await controls.mine(1)
    await catchUp()
    const shown = await until('another is real', async () => {
      if ((await ask('traces', { msg_hash: hash })).traces.length > 0) return 'final' as const
      const { transactions } = await ask('transactionsByMessage', { msg_hash: hash })
      const trace = await pendingOf(hash)
      assert.ok(trace !== undefined, 'it is lost')
      const views = Object.values<Json>(trace.transactions)
      const now = views.filter(({ emulated }) => !emulated).length
      const id = transactions[0]?.trace_id
      const indexed = id === undefined ? 0 : (await countIndexed(id))
      return now === indexed ? trace : undefined
    })
    if (shown === 'final') break
    const views = Object.values<Json>(shown.transactions)
    real = views.filter(({ emulated }) => !emulated).length
    seen.push(real)
    assert.equal(views.length, count, JSON.stringify(shown.transactions_order))
    assert.equal(shown.warning, undefined)
    assert.equal(shown.actions.length, foreseen.actions.length)
    if (real === 0) continue
    const [root] = shown.transactions_order.map((each: string) => shown.transactions[each])
    assert.deepEqual([shown.trace_id, root.hash, root.emulated, root.finality], [root.hash, root.hash, false, 'finalized'])
    assert.equal(shown.mc_seqno_start, String(root.mc_block_seqno))
    const { transactions } = await ask('pendingTransactions', { trace_id: shown.trace_id })
    assert.equal(transactions.length, count - real)
    await controls.mine(1)
    await catchUp()
  }
  assert.ok(seen.some((real) => real > 0 && real < count), `never in between: ${seen}`)
  await until('final', async () => (await ask('traces', { msg_hash: hash })).traces[0])
  assert.equal(await pendingOf(hash), undefined)

  // Two with the same number: the first is held back, the second taken.
  const order = async (from: typeof alice, to: typeof alice, value: bigint, validFor = 60) => {
    const { seqno } = await nextOf(from)
    const messages = [{ destination: to.wallet.address, value, bounce: false }]
    return signTransfer(from.wallet, from.key, { seqno, validUntil: controls.getStatus().utime + validFor, messages })
  }
  const nextOf = async (from: typeof alice) => {
    const { wallet_seqno: seqno = 0 } = (await ask('walletStates', { address: from.wallet.address.hash ? rawOf(from) : '' }))
      .wallets[0] ?? {}
    return { seqno: Number(seqno ?? 0) }
  }
  await controls.disturb({ kind: 'delay', blocks: 30 })
  await network.send(await order(alice, judy, GRAM))
  const late = sent.at(-1)!.hash
  await until('foreseen', () => pendingOf(late))
  await network.send(await order(alice, judy, 2n * GRAM))
  const quick = sent.at(-1)!.hash
  await until('foreseen', () => pendingOf(quick))
  assert.ok((await pendingOf(late)) !== undefined)
  for (let k = 0; k < 4; k++) await controls.mine(1)
  await until('the second is final', async () => (await ask('traces', { msg_hash: quick })).traces[0])
  await until('the first is gone', async () => ((await pendingOf(late)) === undefined ? true : undefined))
  assert.deepEqual((await ask('traces', { msg_hash: late })).traces, [])

  // One that is no longer valid.
  await controls.disturb({ kind: 'lose' })
  await network.send(await order(judy, alice, GRAM, 3))
  const short = sent.at(-1)!.hash
  await until('foreseen', () => pendingOf(short))
  await until('it is gone', async () => ((await pendingOf(short)) === undefined ? true : undefined))

  async function countIndexed(id: string): Promise<number> {
    const { transactions } = await ask('transactions', { trace_id: id, limit: 100 })
    return transactions.length
  }
})
