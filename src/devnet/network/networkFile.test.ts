import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { ControlInputError, NetworkFolderError } from './errors.ts'
import { chooseFacts, readNetworkFile, writeNetworkFile } from './networkFile.ts'

test('facts are chosen once and read back', async (t) => {
  const folder = join(tempFolder(t), 'new')
  assert.equal(await readNetworkFile(folder), undefined)
  const facts = await chooseFacts(folder, { seed: 'mine', shards: 4, startTime: 1000 })
  assert.deepEqual(facts, {
    seed: 'mine',
    accountSeed: 'mine',
    globalId: -777,
    shards: 4,
    startTime: 1000,
    clock: 'virtual',
    clockOffset: 0,
  })
  assert.deepEqual(await chooseFacts(folder, {}), facts)
  await writeNetworkFile(folder, { ...facts, clockOffset: 5 })
  assert.equal((await readNetworkFile(folder))?.clockOffset, 5)
  assert.deepEqual(readdirSync(folder), ['network.json'])
  await assert.rejects(chooseFacts(folder, { shards: 8 }), (error) => {
    assert.ok(error instanceof NetworkFolderError)
    assert.equal(error.message, 'The network in the data folder was made with --shards 4, not with --shards 8.')
    return true
  })
})

test('without a seed the network has a random one, and the well-known accounts', async () => {
  const [one, other] = await Promise.all([chooseFacts(undefined, {}), chooseFacts(undefined, {})])
  assert.notEqual(one.seed, other.seed)
  assert.deepEqual([one.accountSeed, one.clock, one.shards], ['chaincenter', 'machine', 1])
})

test('what cannot be is refused', async (t) => {
  for (const wish of [{ seed: '' }, { seed: 'x'.repeat(257) }, { shards: 3 }, { shards: 32 }, { startTime: 0 }]) {
    await assert.rejects(chooseFacts(undefined, wish), ControlInputError)
  }
  const folder = tempFolder(t)
  for (const text of ['', 'null', '{}', '{"format":1}', '{"format":2,"seed":"a"}', '[1', '{"format":1,"seed":5}']) {
    writeFileSync(join(folder, 'network.json'), text)
    await assert.rejects(readNetworkFile(folder), NetworkFolderError, text)
  }
})
