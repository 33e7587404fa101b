import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import {
  balanceNow,
  closeSharedMachine,
  findAccountNow,
  startTestNetwork,
  TEST_START,
  type TestNetwork,
  transferOf,
} from '../../../test/support/testNetwork.ts'
import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import { formatShard } from '../../primitives/shard.ts'
import { NetworkFolderError } from './errors.ts'

after(closeSharedMachine)

const headOf = ({ store }: TestNetwork): string => formatBlockIdExt(store.head!.id)

test('a network begins with a key block, contracts and funded accounts', async (t) => {
  const network = await startTestNetwork(t)
  const { store, accounts, initBlock } = network
  assert.deepEqual(store.head?.id, initBlock)
  assert.equal(initBlock.seqno, 1)
  assert.deepEqual(store.keyBlockSeqnos, [1])
  assert.equal(store.head?.genUtime, TEST_START + 1)
  await network.controls.mine(1)
  for (const { wallet } of accounts) {
    const account = findAccountNow(network, wallet.address)
    assert.equal(account?.state.kind, 'active')
    assert.equal(account?.balance.grams, 1_000_000_000_000_000n)
  }
  assert.deepEqual(network.logLines, [])
})

const useNetwork = async (network: TestNetwork): Promise<string> => {
  const { controls, accounts } = network
  const [alice, bob] = accounts
  await controls.send(transferOf(network, alice!, { seqno: 0, to: bob!.wallet.address }))
  await controls.mine(2)
  await controls.faucet(alice!.wallet.address, 5n)
  await controls.moveClock(1000)
  await controls.mine(2)
  return headOf(network)
}

test('the same seed and the same inputs give the same hashes', async (t) => {
  const heads = []
  for (const seed of ['chaincenter', 'chaincenter', 'other']) {
    heads.push(await useNetwork(await startTestNetwork(t, { seed })))
  }
  assert.equal(heads[0], heads[1])
  assert.notEqual(heads[0], heads[2])
})

test('a network of four shards has them when it is ready', async (t) => {
  const network = await startTestNetwork(t, { shards: 4 })
  const shards = network.store.shardTops.map(({ shard }) => formatShard(shard))
  assert.deepEqual(shards.sort(), ['2000000000000000', '6000000000000000', 'a000000000000000', 'e000000000000000'])
  const [alice, ...others] = network.accounts
  for (const [seqno, { wallet }] of others.entries()) {
    await network.controls.send(transferOf(network, alice!, { seqno, to: wallet.address }))
    await network.controls.mine(1)
  }
  await network.controls.mine(3)
  // A wallet that gets money pays for looking at it.
  for (const { wallet } of others) assert.ok(balanceNow(network, wallet.address) > 1_000_000_999_000_000n)
})

test('a folder is gone on with, and only with the same settings', async (t) => {
  const folder = tempFolder(t)
  const first = await startTestNetwork(t, { folder })
  await useNetwork(first)
  const [before, { utime }] = [headOf(first), first.controls.getStatus()]
  await first.close()

  for (const wish of [{ seed: 'other' }, { shards: 2 }, { startTime: TEST_START + 1 }, { globalId: -3 }]) {
    await assert.rejects(startTestNetwork(t, { folder, ...wish }), NetworkFolderError)
  }
  const second = await startTestNetwork(t, { folder, seed: undefined, startTime: undefined })
  assert.equal(headOf(second), before)
  assert.equal(second.initBlock.seqno, 1)
  assert.equal(second.controls.getStatus().clockOffset, 1000)
  assert.ok(second.controls.getStatus().utime >= utime - 1)
  await second.controls.mine(1)
  assert.equal(second.store.head?.id.seqno, first.store.head!.id.seqno + 1)
})

test('what a revert took away is gone after a restart, too', async (t) => {
  const folder = tempFolder(t)
  const first = await startTestNetwork(t, { folder })
  await first.controls.mine(2)
  const { id } = await first.controls.snapshot()
  await useNetwork(first)
  await first.controls.revert(id)
  const before = headOf(first)
  await first.close()
  const second = await startTestNetwork(t, { folder })
  assert.equal(headOf(second), before)
  assert.equal(second.controls.getStatus().clockOffset, 0)
  await second.controls.mine(1)
})

test('a network whose shards were merged goes on with fewer than it began with', async (t) => {
  const folder = tempFolder(t)
  const first = await startTestNetwork(t, { folder, shards: 2 })
  await first.controls.reshard('merge')
  for (let blocks = 0; first.store.shardTops.length > 1 && blocks < 20; blocks++) await first.controls.mine(1)
  assert.equal(first.store.shardTops.length, 1)
  await first.close()
  const second = await startTestNetwork(t, { folder, shards: 2 })
  assert.equal(headOf(second), headOf(first))
})

test('the clock of the machine stays ahead after a restart', async (t) => {
  const folder = tempFolder(t)
  const day = 86_400
  const first = await startTestNetwork(t, { folder, startTime: undefined })
  await first.controls.moveClock(day)
  await first.controls.mine(1)
  await first.close()
  const second = await startTestNetwork(t, { folder, startTime: undefined })
  const ahead = second.controls.getStatus().utime - Date.now() / 1000
  assert.ok(Math.abs(ahead - day) < 60, `${ahead}`)
})
