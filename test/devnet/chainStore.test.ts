import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openRecordedChain } from '../../src/cli/replay/openRecordedChain.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { loadChain, type RecordedChain } from '../../src/devnet/replay/loadChain.ts'
import { type BlockFiles, createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { ChainDataError } from '../../src/devnet/store/errors.ts'
import { createPackFiles } from '../../src/devnet/store/packFiles.ts'
import { ArchiveFolder } from '../../src/node/archive/ArchiveFolder.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { fixturePath, haveFixtures, listFixtures, readFixture } from '../support/fixtures.ts'
import { writeTar } from '../support/tar.ts'
import { writeTree } from '../support/writeTree.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const { signal } = new AbortController()
const LOCALNET = [fixturePath('localnet')]
const MAINNET = [fixturePath('mainnet/archives/mainnet'), fixturePath('mainnet/states/mainnet')]

const openFolder = async (t: TestContext, folders: readonly string[]) => {
  const folder = await openRecordedChain(folders, logger, signal)
  t.after(() => folder.close())
  return folder
}

const load = async (t: TestContext, folders: readonly string[], files: BlockFiles = createMemoryFiles(), keep = 0) => {
  const { chain, zeroStates, counts } = await openFolder(t, folders)
  const store = new ChainStore(zeroStates, files, { keep })
  await loadChain(store, chain, { signal, onProgress: () => undefined })
  return { store, chain, zeroStates, counts }
}

/** Every state that the store has is the one that its block names; says how many there are. */
const countStates = (store: ChainStore, last: number): number => {
  let states = 0
  for (let seqno = 1; seqno <= last; seqno++) {
    for (const id of blocksOf(store, seqno)) {
      const state = store.findState(id)
      if (state === undefined) continue
      const { after } = readMerkleUpdate(openBlock(store.getRoot(id)).stateUpdate)
      assert.equal(toHex(state.hash()), toHex(after.hash(0)), formatBlockId(id))
      states++
    }
  }
  return states
}

const blocksOf = (store: ChainStore, masterSeqno: number): BlockIdExt[] => {
  const master = store.findMaster(masterSeqno)
  assert.ok(master !== undefined)
  return [master.id, ...store.index.listIncluded(masterSeqno).map(({ id }) => id)]
}

let localnet: ReturnType<typeof load> | undefined

/** The local network for tests that only read, loaded once. */
const loadLocalnet = (t: TestContext): ReturnType<typeof load> => {
  localnet ??= load(t, LOCALNET)
  return localnet
}

describe('ChainStore over recorded chains', () => {
  it('takes up the local network; every state has the hash that its block says', async (t) => {
    const { store, counts } = await loadLocalnet(t)
    assert.deepEqual(counts, { blockFiles: 1511, packs: 12 })
    assert.equal(store.head?.id.seqno, 470)
    assert.equal(store.index.count, 1789)
    assert.deepEqual(store.keyBlockSeqnos, [66, 103])
    assert.equal(countStates(store, 470), 1789)
    for (let seqno = 1; seqno <= 470; seqno++) assert.equal(store.findSignatures(seqno)?.kind, 'simplex')
    t.diagnostic('1789 states compared with their blocks, 470 sets of signatures')
  })

  it('takes up the beginning of the main network', async (t) => {
    if (!haveFixtures(t, 'mainnet/archives')) return
    const { store } = await load(t, MAINNET)
    assert.equal(store.head?.id.seqno, 99)
    assert.equal(store.index.count, 299)
    assert.equal(countStates(store, 99), 299)
    assert.equal(store.findSignatures(99)?.kind, 'ordinary')
  })

  it('writes packages as nodes do, and a second start takes the chain up from them', async (t) => {
    const root = writeTree(t, {})
    const files = createPackFiles(root)
    const { store, zeroStates } = await load(t, LOCALNET, files)
    files.sync()
    const own = new ArchiveFolder({ location: root, logger })
    const again = new ChainStore(zeroStates, createMemoryFiles(), { keep: 0 })
    const chain: RecordedChain = {
      findMaster: async (seqno) => {
        const id = await own.findMasterchainBlock(seqno)
        return id?.seqno === seqno ? id : undefined
      },
      findBlock: (id) => own.getBlock(id),
      findProof: async (id) => (await own.findProof(id))?.bytes,
    }
    await loadChain(again, chain, { signal, onProgress: () => undefined })
    assert.equal(again.index.count, store.index.count)
    assert.equal(formatBlockIdExt(again.head!.id), formatBlockIdExt(store.head!.id))
    for (const seqno of [1, 65, 66, 103, 202, 203, 470]) {
      const { id } = store.findMaster(seqno)!
      assert.deepEqual(again.findBytes(id), store.findBytes(id))
      assert.equal(again.findSignatures(seqno)?.kind, 'simplex')
    }
    files.close()
  })

  it('takes up packages inside a .tar.gz, but not the temporary ones', async (t) => {
    const root = writeTree(t, {})
    const packages = listFixtures('localnet/node-db', '.pack').map((path) => ({ path, data: readFixture(path) }))
    writeFileSync(join(root, 'node.tar.gz'), gzipSync(writeTar(packages), { level: 1 }))
    const { store, counts } = await load(t, [root, fixturePath('localnet/config')])
    assert.deepEqual(counts, { blockFiles: 0, packs: 12 })
    assert.equal(store.head?.id.seqno, 470)
    assert.equal(store.index.count, 1789)
  })

  it('drops old states, and keeps what new blocks build on', async (t) => {
    const { store } = await load(t, LOCALNET, createMemoryFiles(), 10)
    assert.equal(store.head?.id.seqno, 470)
    assert.equal(store.findState(store.findMaster(460)!.id), undefined)
    const kept = countStates(store, 470)
    assert.ok(kept >= 20 && kept <= 60, `${kept} states are kept`)
    for (const id of store.shardTops) assert.ok(store.findState(id) !== undefined)
  })

  it('finds blocks by number, logical time and time, across the splits and the merge', async (t) => {
    const { store } = await loadLocalnet(t)
    const { index } = store
    const left = 0x1000_0000_0000_0000n
    assert.equal(formatBlockId(index.findBySeqno(0, left, 22)!.id), '(0,8000000000000000,22)')
    assert.equal(formatBlockId(index.findBySeqno(0, left, 23)!.id), '(0,4000000000000000,23)')
    assert.equal(formatBlockId(index.findBySeqno(0, left, 118)!.id), '(0,8000000000000000,118)')
    assert.equal(index.findBySeqno(0, left, 100_000), undefined)
    for (const seqno of [1, 23, 118, 300]) {
      const block = index.findBySeqno(0, left, seqno)!
      assert.deepEqual(index.findByLt(0, left, block.endLt), block)
      assert.equal(index.findByLt(0, left, block.endLt + 1n)?.id.seqno, seqno + 1)
      assert.ok(index.findByUtime(0, left, block.genUtime)!.id.seqno <= seqno)
    }
    assert.equal(index.findByUtime(0, left, 4_000_000_000), undefined)
  })

  it('names a block that is missing, in the masterchain or in a shard', async (t) => {
    const { chain, zeroStates } = await openFolder(t, LOCALNET)
    const loadWith = (changes: Partial<RecordedChain>) =>
      loadChain(
        new ChainStore(zeroStates, createMemoryFiles(), { keep: 0 }),
        { ...chain, ...changes },
        { signal, onProgress: () => undefined },
      )
    const findMaster = (seqno: number) => (seqno === 30 ? Promise.resolve(undefined) : chain.findMaster(seqno))
    await assert.rejects(
      loadWith({ findMaster }),
      /Masterchain block 30 is missing, but \(-1,8000000000000000,31\) is there/,
    )
    const findBlock = async (id: BlockIdExt) =>
      id.workchain === 0 && id.seqno === 40 ? undefined : chain.findBlock(id)
    await assert.rejects(
      loadWith({ findBlock }),
      /Block \(0,[4c]000000000000000,40\) is missing; masterchain block \d+ includes it/,
    )
    const findOther = async (id: BlockIdExt) =>
      chain.findBlock(id.seqno === 5 && id.workchain === -1 ? (await chain.findMaster(6))! : id)
    await assert.rejects(loadWith({ findBlock: findOther }), (error: ChainDataError) => {
      assert.ok(error instanceof ChainDataError)
      assert.match(
        error.message,
        /^Block \(-1,8000000000000000,5\) has another id: .*, but got \(-1,8000000000000000,6\):/,
      )
      return true
    })
    const findBroken = async (id: BlockIdExt) => {
      const bytes = await chain.findBlock(id)
      if (id.seqno === 7 && bytes !== undefined) bytes[200]! ^= 1
      return bytes
    }
    await assert.rejects(loadWith({ findBlock: findBroken }), /Block \(-?[01],8000000000000000,7\) cannot be read/)
  })
})
