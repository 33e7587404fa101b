import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { startV3Network } from '../support/v3Service.ts'

after(closeSharedMachine)

test('an empty item alone fits nothing, and an item beside others is dropped', async (t) => {
  if (!haveDatabase(t)) return
  const { url, network, mine } = await startV3Network(t, await openFreshDatabase(t), {})
  const [alice] = network.accounts
  const ask = async (query: string) => {
    const response = await fetch(`${url}/api/v3/${query}`)
    return { status: response.status, body: (await response.json()) as Record<string, readonly unknown[]> }
  }
  await mine(2)
  assert.ok((await ask('transactions?limit=5')).body['transactions']!.length > 0)
  assert.deepEqual((await ask('transactions?account=')).body['transactions'], [])
  const beside = await ask(`transactions?account=&account=${encodeURIComponent('-1:'.padEnd(67, '3'))}`)
  assert.ok(beside.body['transactions']!.length > 0)
  assert.deepEqual((await ask('actions?action_type=')).body['actions'], [])
  const states = await ask('accountStates?address=')
  assert.deepEqual([states.status, states.body['accounts']], [200, []])
  const known = await ask(`accountStates?address=&address=${alice!.address}`)
  assert.equal(known.status, 200)
  assert.deepEqual(await ask('metadata?address='), { status: 200, body: {} })
  for (const path of ['accountStates', 'metadata']) assert.equal((await ask(path)).status, 422)
  assert.equal((await ask('addressBook?address=')).status, 422)
})
