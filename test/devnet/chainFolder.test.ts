import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openRecordedChain } from '../../src/cli/replay/openRecordedChain.ts'
import { loadChain, type RecordedChain } from '../../src/devnet/replay/loadChain.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { openFolder } from '../support/chainFolder.ts'
import { fixturePath } from '../support/fixtures.ts'
import { tempFolder } from '../support/tempFolder.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const { signal } = new AbortController()
const HEAD = 470

const growTo = (store: ChainStore, chain: RecordedChain, last: number): Promise<void> => {
  const findMaster = async (seqno: number) => (seqno > last ? undefined : chain.findMaster(seqno))
  return loadChain(store, { ...chain, findMaster }, { signal, onProgress: () => undefined })
}

/** Both know the same blocks, in the same order, with the same bytes and signatures. */
const expectSame = (found: ChainStore, expected: ChainStore): void => {
  assert.deepEqual(found.head, expected.head)
  assert.deepEqual(found.shardTops, expected.shardTops)
  assert.deepEqual(found.keyBlockSeqnos, expected.keyBlockSeqnos)
  assert.equal(found.index.count, expected.index.count)
  for (let number = 0; number < expected.index.count; number++) {
    const block = expected.index.get(number)
    assert.deepEqual(found.index.get(number), block)
    assert.deepEqual(found.findBytes(block.id), expected.findBytes(block.id))
  }
  for (let seqno = 1; seqno <= expected.index.steps; seqno++) {
    const list = (store: ChainStore) => store.findSignatures(seqno)?.signatures.entries()
    assert.deepEqual(list(found), list(expected))
    assert.equal(found.findSignatures(seqno)?.kind, 'simplex')
  }
  for (const id of [expected.head!.id, ...expected.shardTops])
    assert.ok(found.findState(id)!.equals(expected.findState(id)!))
}

it('the local network, with its splits and its merge, lives in a folder, goes back and forth, and can be replayed from it', async (t) => {
  const recorded = await openRecordedChain([fixturePath('localnet')], logger, signal)
  t.after(recorded.close)
  const { chain, zeroStates } = recorded
  const expected = new ChainStore(zeroStates, createMemoryFiles(), { keep: 0 })
  await loadChain(expected, chain, { signal, onProgress: () => undefined })
  assert.equal(expected.head?.id.seqno, HEAD)

  const folder = tempFolder(t)
  const first = await openFolder(folder, { zeroStates, keep: 20, checkpointEvery: 50 })
  await growTo(first.store, chain, 60)
  first.store.pin(60)
  await growTo(first.store, chain, 300)
  first.store.revertTo(60)
  await loadChain(first.store, chain, { signal, onProgress: () => undefined })
  expectSame(first.store, expected)
  await first.close()

  let applied = 0
  const again = await openFolder(folder, { zeroStates, onProgress: () => applied++ })
  assert.ok(applied >= 5 && applied < 5 + 50, `${applied} were applied to have the states of the last 5`)
  expectSame(again.store, expected)
  await again.close()

  const own = await openRecordedChain([folder], logger, signal)
  t.after(own.close)
  const replayed = new ChainStore(own.zeroStates, createMemoryFiles(), { keep: 10 })
  await loadChain(replayed, own.chain, { signal, onProgress: () => undefined })
  expectSame(replayed, expected)
})
