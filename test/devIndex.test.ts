import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { networkFolder } from '../src/cli/start/prepareNetwork.ts'
import { emptyCell } from '../src/codec/cell/CellWriter.ts'
import { removeNetwork } from '../src/devnet/network/createNetwork.ts'
import { parseAddress } from '../src/primitives/Address.ts'
import { haveDatabase } from './support/database.ts'
import { amount } from './support/sampleMessages.ts'
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
  const options = { folder, seed: 'chaincenter', mining: { mode: 'manual' }, http: {}, index: {} } as const
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

type Traces = {
  readonly traces: readonly {
    readonly is_incomplete: boolean
    readonly trace_info: { readonly trace_state: string; readonly messages: number; readonly transactions: number }
  }[]
}

test('what somebody did in the name of another is a whole trace, though nobody sent its first message', {
  timeout: 120_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const options = {
    folder: tempFolder(t),
    seed: 'chaincenter',
    mining: { mode: 'manual' },
    http: {},
    index: {},
  } as const
  const network = await startNetwork(options)
  t.after(() => network.close())
  const [source, destination] = ['2', '3'].map((digit) => `0:${digit.repeat(64)}`)
  await network.controls.mine(1)
  await network.controls.impersonate({
    source: parseAddress(source!),
    destination: parseAddress(destination!),
    value: amount(1_000_000_000n),
    bounce: false,
    stateInit: undefined,
    body: emptyCell,
  })
  await network.controls.mine(2)
  await network.indexed
  const base = `${network.url}/api/v3`
  await untilIndexed(base, network.controls.getStatus().head.seqno)
  await untilBalance(base, destination!, '1000000000')
  const ask = async () => ((await (await fetch(`${base}/traces?account=${destination}`)).json()) as Traces).traces
  let traces = await ask()
  for (let tries = 0; traces[0]?.is_incomplete !== false; tries++) {
    assert.ok(tries < 200, 'the trace is not finished')
    await delay(50)
    traces = await ask()
  }
  const [{ trace_info }] = traces as [Traces['traces'][number]]
  assert.deepEqual(
    [traces.length, trace_info.trace_state, trace_info.messages, trace_info.transactions],
    [1, 'complete', 1, 1],
  )
})
