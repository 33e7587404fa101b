import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes are looked into
type Json = any

const call = async (url: string, path: string, body?: unknown): Promise<{ readonly status: number; json: Json }> => {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/debug/v1/${path}`, init)
  return { status: response.status, json: await response.json() }
}

test('replays a faucet transfer by hash and by account and lt', async (t) => {
  const network = await startNetwork({ mining: { mode: 'manual' }, startTime: 1_700_000_000, http: {} })
  t.after(() => network.close())
  const { url = '' } = network
  const [alice] = network.accounts
  await fetch(`${url}/dev/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: alice!.address, amount: '5000000000' }),
  })
  await network.controls.mine(3)
  const answer = await fetch(`${url}/api/v2/getTransactions?address=${encodeURIComponent(alice!.address)}&limit=1`)
  const { result } = (await answer.json()) as Json
  const { lt, hash } = result[0].transaction_id
  const byHash = await call(url, 'transaction', { hash, steps: 'none' })
  assert.equal(byHash.status, 200, JSON.stringify(byHash.json))
  assert.equal(byHash.json.verdict.replay, 'exact')
  const { money } = byHash.json
  assert.equal(
    BigInt(money.before) + BigInt(money.in),
    BigInt(money.after) + BigInt(money.out) + BigInt(money.fees.total),
  )
  const byLt = await call(url, 'transaction', { account: alice!.address, lt, steps: 'none' })
  assert.equal(byLt.json.transaction.hash, byHash.json.transaction.hash)
  const recorded = await call(url, 'transaction', { hash, steps: 'all' })
  assert.equal(recorded.status, 200, JSON.stringify(recorded.json))
  const { vm } = recorded.json
  assert.equal(vm.steps.length, vm.steps_total)
  const page = await call(url, `transaction/${encodeURIComponent(hash)}/steps?from=1&count=2`)
  assert.deepEqual(
    page.json.vm.steps.map((step: Json) => step.i),
    [1, 2],
  )
  const missing = await call(url, 'transaction', { hash: '00'.repeat(32) })
  assert.deepEqual([missing.status, missing.json.code], [404, 'transaction_not_found'])
  const notKept = await call(url, `transaction/${'00'.repeat(32)}/steps`)
  assert.deepEqual([notKept.status, notKept.json.code], [404, 'replay_not_kept'])
})
