import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { toNano } from '@ton/core'
import {
  type OpenedContract,
  type RunningNetwork,
  startNetwork,
  type TestWallet,
} from '../../src/cli/dev/startNetwork.ts'
import { assertGas, formatCoverage, formatLcov, type GasSnapshot } from '../../src/testing/matchers.ts'
import { Counter } from './counter/Counter.ts'

let network: RunningNetwork
let alice: TestWallet
let counter: OpenedContract<Counter>

before(async () => {
  network = await startNetwork({ mining: { mode: 'manual' }, coverage: true, http: false })
  alice = await network.wallet('alice')
  counter = network.open(Counter.createFromConfig({ id: 1, counter: 0, owner: alice.address }))
  await counter.sendDeploy(alice.getSender(), toNano(1))
})
after(() => network.close())

test('coverage grows with what tests run, and stays when the chain is reverted', async () => {
  const deployed = await network.coverage(counter)
  const { id } = await network.controls.snapshot()
  await counter.sendIncrease(alice.getSender(), { increaseBy: 1, value: toNano('0.1') })
  await network.controls.revert(id)
  const increased = await network.coverage(counter.address)
  await counter.sendReset(alice.getSender(), toNano('0.1'))
  await counter.sendReset((await network.wallet('bob')).getSender(), toNano('0.1'))
  const reset = await network.coverage(counter.address.toString())
  await counter.getCounter()
  await counter.getID()
  const all = await network.coverage(counter)
  const covered = [deployed, increased, reset, all].map(({ instructions }) => instructions.covered)
  assert.deepEqual(
    covered,
    [...new Set(covered)].sort((a, b) => a - b),
  )
  assert.equal(all.runs, 6)
  assert.ok(all.instructions.covered / all.instructions.total > 0.9, formatCoverage(all))
  assert.ok(all.branches.covered < all.branches.total)
  assert.match(formatLcov(all), /^DA:\d+,[1-9]/m)
})

test('a contract that nobody opened, and a network that does not record, have no coverage', async () => {
  assert.equal((await network.coverage(alice.address)).instructions.covered, 0)
  const other = await startNetwork({ mining: { mode: 'manual' }, http: false })
  try {
    await assert.rejects(other.coverage(other.accounts[0]!.address), /start it with `coverage: true`/)
  } finally {
    await other.close()
  }
})

test('gas is listed by contract and op, and compared with a file', async () => {
  const snapshot = network.gasSnapshot()
  assert.deepEqual(Object.keys(snapshot), [
    'Counter 0x3a752f06',
    'Counter 0x7e8764ef',
    'Counter counterId()',
    'Counter currentCounter()',
    'Counter without op',
  ])
  const { min, max, runs } = snapshot['Counter 0x3a752f06']!
  assert.ok(runs === 2 && min > 0 && min < max)
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-gas-'))
  try {
    const file = join(folder, 'gas.json')
    assertGas(file, snapshot)
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), snapshot)
    assertGas(file, snapshot)
    const key = 'Counter 0x7e8764ef'
    const mean = snapshot[key]!.mean
    const grown: GasSnapshot = { ...snapshot, [key]: { ...snapshot[key]!, mean: mean + 10 } }
    assert.throws(
      () => assertGas(file, grown),
      /Expected no more gas than in .*gas\.json, but got:\n! Counter 0x7e8764ef/,
    )
    assertGas(file, grown, { tolerance: 0.05 })
    assertGas(file, grown, { update: true })
    assertGas(file, grown)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
