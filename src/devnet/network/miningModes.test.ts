import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { closeSharedMachine, startTestNetwork, transferOf } from '../../../test/support/testNetwork.ts'

after(closeSharedMachine)

const seqnoOf = ({ store }: Awaited<ReturnType<typeof startTestNetwork>>): number => store.head!.id.seqno

test('blocks are made at intervals, until the mode changes', async (t) => {
  const mining = { mode: 'interval', intervalMs: 200, emptyBlocks: true } as const
  const network = await startTestNetwork(t, { mining, startTime: undefined })
  await pause(2000)
  const made = seqnoOf(network) - 1
  assert.ok(made >= 3 && made <= 11, `${made} blocks`)
  await network.controls.setMining({ mode: 'manual' })
  // One may be under way.
  await pause(300)
  const seqno = seqnoOf(network)
  await pause(600)
  assert.equal(seqnoOf(network), seqno)
  const times = [...Array(seqno - 1).keys()].map((k) => network.store.findMaster(k + 1)!.genUtime)
  assert.deepEqual(times, times.toSorted())
  assert.ok(Math.abs(times.at(-1)! - Date.now() / 1000) < 30)
})

test('without empty blocks there are only those with something in them', async (t) => {
  const mining = { mode: 'interval', intervalMs: 200, emptyBlocks: false } as const
  const network = await startTestNetwork(t, { mining })
  const [alice, bob] = network.accounts
  await pause(700)
  assert.equal(seqnoOf(network), 1)
  await network.controls.send(transferOf(network, alice!, { seqno: 0, to: bob!.wallet.address }))
  await network.store.waitForMaster(2, AbortSignal.timeout(10_000))
  await pause(700)
  assert.ok(seqnoOf(network) <= 3, `${seqnoOf(network)}`)
})

test('instant blocks come with a message, and go on until its consequences are done', async (t) => {
  const network = await startTestNetwork(t, { mining: { mode: 'instant' }, shards: 2 })
  const before = seqnoOf(network)
  const far = { workchain: -1, hash: new Uint8Array(32).fill(0x21) }
  await pause(300)
  assert.equal(seqnoOf(network), before)
  await network.controls.send(transferOf(network, network.accounts[0]!, { seqno: 0, to: far }))
  // To another chain: at least a block for the wallet and one for the receiver.
  await network.store.waitForMaster(before + 2, AbortSignal.timeout(10_000))
  await pause(1000)
  const after = seqnoOf(network)
  assert.ok(after <= before + 5, `${after - before} blocks`)
})
