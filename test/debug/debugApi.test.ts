import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createClient } from '../../src/client/createClient.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { amount, address as numbered } from '../support/sampleMessages.ts'
import { refusedIntegers, takenIntegers } from '../support/vmIntegers.ts'
import { codeOf } from '../support/vmSamples.ts'

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
  const overridden = await call(url, 'transaction', {
    hash,
    steps: 'none',
    overrides: { [alice!.address]: { balance: '7' } },
  })
  assert.equal(overridden.json.verdict?.replay, 'changed', JSON.stringify(overridden.json))
  assert.equal(overridden.json.money.before, '7')
  const stranger = { [`0:${'11'.repeat(32)}`]: { balance: '7' } }
  assert.equal((await call(url, 'transaction', { hash, overrides: stranger })).status, 400)
  const code = await call(url, `code/${encodeURIComponent(vm.code_hash)}`)
  assert.equal(code.json.method_names['0'], 'recv_internal', JSON.stringify(code.json).slice(0, 300))
  const text = await call(url, `code/${encodeURIComponent(vm.code_hash)}?format=fift`)
  assert.match(text.json.text, /^PROGRAM\{\n[\s\S]* recv_internal PROC:<\{/)
  const method = await call(url, 'get_method', { address: alice!.address, method: 'seqno' })
  assert.deepEqual([method.status, method.json.vm?.exit_code], [200, 0])
  assert.equal(method.json.vm.steps.length, method.json.vm.steps_total)
  const withNumber = (value: string) =>
    call(url, 'get_method', {
      address: alice!.address,
      method: 'seqno',
      stack: [{ type: 'num', value }],
    })
  for (const value of takenIntegers) {
    const taken = await withNumber(value)
    assert.deepEqual([taken.status, taken.json.vm?.exit_code], [200, 0], `${value}: ${JSON.stringify(taken.json)}`)
  }
  for (const value of refusedIntegers) {
    const refused = await withNumber(value)
    assert.deepEqual(
      [refused.status, refused.json.code],
      [400, 'invalid_request'],
      `${value}: ${JSON.stringify(refused.json)}`,
    )
  }
  const profile = await call(url, 'profile', { hashes: [hash] })
  assert.equal(profile.json.gas, vm.gas.used)
  const source = `sources/${encodeURIComponent(vm.code_hash)}`
  const map = {
    language: 'tolk',
    code_hash: vm.code_hash,
    files: [{ path: 'wallet.tolk' }],
    marks: { [vm.steps[0].cell]: [[0, 0]] },
    places: [{ f: 0, l: 3, c: 1 }],
    methods: {},
    errors: {},
  }
  const client = createClient({ url })
  assert.equal((await client.debug.putSource({ code_hash: vm.code_hash, map })).places, 1)
  const located = await client.debug.transaction({ hash, steps: 'all', source: true })
  assert.deepEqual((located as Json).vm.steps[0].loc, { f: 0, l: 3, c: 1 })
  assert.equal((await client.debug.transactionSteps({ hash, count: 1 })).vm?.steps.length, 1)
  const locatedPage = await client.debug.transactionSteps({ hash, count: 1, source: true })
  assert.deepEqual((locatedPage as Json).vm.steps[0].loc, { f: 0, l: 3, c: 1 })
  await client.debug.deleteSource({ code_hash: vm.code_hash })
  assert.deepEqual([(await call(url, source)).status, (await call(url, 'code/x/y')).status], [404, 404])
  assert.equal((await call(url, source, {})).status, 405)
  const large = await call(url, 'transaction', { hash, steps: 'all', stack: 'full', count: 2001 })
  assert.deepEqual([large.status, large.json.code], [413, 'too_many_steps'])
  const missing = await call(url, 'transaction', { hash: '00'.repeat(32) })
  assert.deepEqual([missing.status, missing.json.code], [404, 'transaction_not_found'])
  const notKept = await call(url, `transaction/${'00'.repeat(32)}/steps`)
  assert.deepEqual([notKept.status, notKept.json.code], [404, 'replay_not_kept'])

  await t.test('the log of a contract that never ends is bounded', async () => {
    const place = numbered(0, 77)
    const address = formatRawAddress(place)
    // One more number on the stack, again and again.
    const state = { kind: 'active', init: contractInit(codeOf('91 70 EA'), emptyCell) } as const
    await network.controls.setAccount({ address: place, balance: amount(10_000_000_000n), state })
    const sent = network.controls.impersonate({
      source: numbered(0, 78),
      destination: place,
      value: amount(2_000_000_000n),
      bounce: false,
      stateInit: undefined,
      body: emptyCell,
    })
    await network.controls.mine(2)
    await sent
    const found = await fetch(`${url}/api/v2/getTransactions?address=${encodeURIComponent(address)}&limit=1`)
    const [{ transaction_id: id }] = ((await found.json()) as Json).result
    const rerun = await fetch(`${url}/dev/log?hash=${encodeURIComponent(id.hash)}`)
    const logs = [
      (await call(url, 'get_method', { address, method: 'seqno', log: true })).json.log,
      (await call(url, 'transaction', { hash: id.hash, steps: 'all', log: true })).json.log,
      ((await rerun.json()) as Json).result.log,
    ]
    for (const [at, log] of logs.entries()) {
      assert.equal(typeof log, 'string', `log ${at}`)
      assert.ok(log.length > 1 << 19 && log.length < 1 << 21, `log ${at}: ${log.length} characters`)
      assert.match(log, /^\.\.\. \(truncated\)\n/)
      assert.match(log.slice(-200), /unhandled out-of-gas exception/)
    }
  })
})
