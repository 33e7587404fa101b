import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { networkFolder, startNetwork } from '../src/cli/dev/startNetwork.ts'
import { removeNetwork } from '../src/devnet/network/removeNetwork.ts'
import { parseAddress } from '../src/primitives/Address.ts'
import { haveDatabase } from './support/database.ts'
import { tempFolder } from './support/tempFolder.ts'
import { untilIndexed } from './support/untilIndexed.ts'

type Balance = { readonly account: string; readonly balance: string }

const askBalance = async (base: string, address: string): Promise<string | undefined> => {
  const response = await fetch(`${base}/accountStates?address=${address}`)
  const { accounts } = (await response.json()) as { readonly accounts: readonly Balance[] }
  return accounts[0]?.balance
}

/** The newest blocks are indexed first: those below them may follow a moment later. */
const untilBalance = async (base: string, address: string, balance: string): Promise<void> => {
  for (let tries = 0; (await askBalance(base, address)) !== balance; tries++) {
    assert.ok(tries < 600, `the balance is not ${balance}`)
    await delay(50)
  }
}

test('an embedded network is indexed, back in time as well, and gone on with at the next start', {
  timeout: 180_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const folder = tempFolder(t)
  const options = { folder, seed: 'indexed', mining: { mode: 'manual' }, http: {}, index: {} } as const
  const rich = '0:1111111111111111111111111111111111111111111111111111111111111111'

  const first = await startNetwork(options)
  const base = `${first.url}/api/v3`
  await first.indexed
  await first.controls.mine(2)
  const { id } = await first.controls.snapshot()
  const { head: before } = first.controls.getStatus()
  await first.controls.faucet(parseAddress(rich), 5_000_000_000n)
  await first.controls.mine(3)
  const { head: after } = first.controls.getStatus()
  await untilIndexed(base, after.seqno)
  await untilBalance(base, rich, '5000000000')

  await first.controls.revert(id)
  for (let tries = 0; (await askBalance(base, rich)) !== undefined; tries++) {
    assert.ok(tries < 600, 'what was taken back is still there')
    await delay(50)
  }
  await untilIndexed(base, before.seqno)
  const { last } = (await (await fetch(`${base}/masterchainInfo`)).json()) as { last: { seqno: number } }
  assert.equal(last.seqno, before.seqno)
  await first.controls.faucet(parseAddress(rich), 7_000_000_000n)
  await first.controls.mine(1)
  const { head: again } = first.controls.getStatus()
  await untilIndexed(base, again.seqno)
  await untilBalance(base, rich, '7000000000')
  await first.close()

  const second = await startNetwork(options)
  await second.indexed
  await second.controls.mine(1)
  await untilIndexed(`${second.url}/api/v3`, again.seqno + 1)
  await untilBalance(`${second.url}/api/v3`, rich, '7000000000')
  await second.close()

  await removeNetwork(networkFolder(folder))
  const foreign = await startNetwork({ ...options, seed: 'another' })
  await assert.rejects(foreign.indexed!, { code: 'foreign_index' })
  assert.equal((await fetch(`${foreign.url}/api/v3/masterchainInfo`)).status, 500)
  assert.equal((await fetch(`${foreign.url}/api/v2/getMasterchainInfo`)).status, 200)
  await foreign.close()

  const fresh = await startNetwork({ ...options, seed: 'another', index: { reset: true } })
  t.after(() => fresh.close())
  await fresh.indexed
  await untilIndexed(`${fresh.url}/api/v3`, fresh.controls.getStatus().head.seqno)
  assert.equal(await askBalance(`${fresh.url}/api/v3`, rich), undefined)
})
