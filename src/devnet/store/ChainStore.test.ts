import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { appendSteps, copyFolder, expectSteps, isChainError, openFolder } from '../../../test/support/chainFolder.ts'
import { makeSyntheticSteps, SyntheticChain } from '../../../test/support/SyntheticChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { createMemoryFiles } from './BlockFiles.ts'
import { ChainStore, type MasterStep } from './ChainStore.ts'
import { packPath } from './packPaths.ts'

const { zeroStates, steps } = makeSyntheticSteps(30, { keyEvery: 8 })

type Opened = { readonly name: string; readonly store: ChainStore; readonly folder: string | undefined }

/** The same chain in memory and in a folder. */
const openBoth = async (t: TestContext, keep: number): Promise<Opened[]> => {
  const folder = tempFolder(t)
  const opened = await openFolder(folder, { zeroStates, keep })
  t.after(opened.close)
  const inMemory = new ChainStore(zeroStates, createMemoryFiles(), { keep })
  return [
    { name: 'memory', store: inMemory, folder: undefined },
    { name: 'folder', store: opened.store, folder },
  ]
}

/** Another future for a chain: blocks that differ from the ones it had. */
const growDifferently = (store: ChainStore, count: number): MasterStep[] => {
  const chain = new SyntheticChain({ keyEvery: 5, touched: 3 })
  return Array.from({ length: count }, () => {
    const step = chain.next(store)
    store.append(step)
    return step
  })
}

describe('ChainStore.revertTo', () => {
  it('takes the chain back to a pinned block, and it goes on another way', async (t) => {
    for (const { name, store, folder } of await openBoth(t, 3)) {
      appendSteps(store, steps.slice(0, 10))
      store.pin(10)
      appendSteps(store, steps.slice(10))
      const pinned = [store.findMaster(10)!.id, store.index.listIncluded(10)[0]!.id]
      for (const id of pinned) assert.ok(store.findState(id) !== undefined, `${name}: pinned states stay`)
      assert.equal(store.findState(store.findMaster(11)!.id), undefined, `${name}: others do not`)
      store.getRoot(steps[20]!.master.id)
      store.revertTo(10)
      expectSteps(store, steps.slice(0, 10))
      for (const { master, shardBlocks } of steps.slice(10)) {
        for (const { id } of [master, ...shardBlocks]) {
          assert.equal(store.findBytes(id), undefined)
          assert.equal(store.findState(id), undefined)
          assert.throws(() => store.getRoot(id), isChainError(/is not in the store/))
        }
        assert.equal(store.findSignatures(master.id.seqno), undefined)
      }
      const grown = [...steps.slice(0, 10), ...growDifferently(store, 12)]
      expectSteps(store, grown)
      store.revertTo(10)
      appendSteps(store, steps.slice(10))
      expectSteps(store, steps)
      if (folder === undefined) continue
      const again = await openFolder(copyFolder(t, folder))
      expectSteps(again.store, steps)
      await again.close()
    }
  })

  it('cuts the files back, and removes the checkpoints of blocks that are gone', async (t) => {
    const folder = tempFolder(t)
    const { store, close } = await openFolder(folder, { zeroStates, checkpointEvery: 6, keep: 30 })
    const states = join(folder, 'states')
    const listStates = (): string[] => (existsSync(states) ? readdirSync(states).sort() : [])
    const append = async (list: readonly MasterStep[]): Promise<void> => {
      for (const step of list) {
        store.append(step)
        const { seqno } = step.master.id
        while (seqno % 6 === 0 && !listStates().includes(`${seqno}.boc`))
          await new Promise((done) => setTimeout(done, 1))
      }
    }
    await append(steps.slice(0, 14))
    const sizes = () => [-1, 0].map((workchain) => statSync(packPath(folder, 8, workchain)).size)
    const before = [...sizes(), statSync(join(folder, 'chain.log')).size]
    store.pin(14)
    await append(steps.slice(14))
    assert.deepEqual(listStates(), ['12.boc', '18.boc', '24.boc', '30.boc', '6.boc'], 'those of all that is kept')
    assert.ok(existsSync(packPath(folder, 16, -1)) && existsSync(packPath(folder, 24, 0)))
    store.revertTo(14)
    assert.deepEqual([...sizes(), statSync(join(folder, 'chain.log')).size], before)
    assert.deepEqual(readdirSync(join(folder, 'archive/packages/arch0000')).sort(), [
      'archive.00000.0_8000000000000000.pack',
      'archive.00000.pack',
      'archive.00008.0_8000000000000000.pack',
      'archive.00008.pack',
    ])
    assert.deepEqual(listStates(), ['12.boc', '6.boc'])
    store.unpin(14)
    store.revertTo(4)
    const applied: number[] = []
    const again = await openFolder(copyFolder(t, folder), { onProgress: (seqno) => applied.push(seqno) })
    expectSteps(again.store, steps.slice(0, 4))
    assert.deepEqual(applied, [1, 2, 3, 4])
    await again.close()
    await close()
  })

  it('goes back to the first states, and refuses what it has no states for', async (t) => {
    for (const { name, store } of await openBoth(t, 4)) {
      appendSteps(store, steps.slice(0, 20))
      assert.throws(() => store.revertTo(21), isChainError(/^Masterchain block 21 is not in the store/), name)
      assert.throws(() => store.revertTo(-1), isChainError(/^Masterchain block -1 is not in the store/), name)
      assert.throws(
        () => store.revertTo(12),
        isChainError(/the state after \(-1,8000000000000000,12\) is not kept/),
        name,
      )
      assert.throws(() => store.pin(12), isChainError(/is not kept any more/), name)
      expectSteps(store, steps.slice(0, 20))
      store.pin(18)
      store.pin(18)
      store.unpin(18)
      appendSteps(store, steps.slice(20))
      assert.ok(store.findState(steps[17]!.master.id) !== undefined, 'pinned twice, unpinned once')
      store.unpin(18)
      store.unpin(18)
      store.revertTo(29)
      appendSteps(store, steps.slice(29))
      assert.equal(store.findState(steps[17]!.master.id), undefined)
      store.revertTo(0)
      expectSteps(store, [])
      assert.equal(store.head, undefined)
      assert.deepEqual(store.shardTops, [])
      appendSteps(store, steps)
      expectSteps(store, steps)
    }
  })

  it('leaves those who wait for a block waiting', async (t) => {
    for (const { store } of await openBoth(t, 0)) {
      appendSteps(store, steps.slice(0, 5))
      let isThere = false
      const waited = store.waitForMaster(6, new AbortController().signal).then(() => {
        isThere = true
      })
      store.revertTo(3)
      appendSteps(store, steps.slice(3, 5))
      await Promise.resolve()
      assert.equal(isThere, false)
      appendSteps(store, steps.slice(5, 6))
      await waited
      assert.equal(isThere, true)
    }
  })
})

describe('ChainStore.append', () => {
  it('refuses steps that do not follow, and takes nothing of them', async (t) => {
    for (const { store } of await openBoth(t, 0)) {
      appendSteps(store, steps.slice(0, 3))
      const next = steps[3]!
      assert.throws(() => store.append(steps[4]!), isChainError(/^Expected masterchain block 4/))
      assert.throws(
        () => store.append({ ...next, shardBlocks: [] }),
        isChainError(/includes \(0,8000000000000000,4\), which/),
      )
      const twice = [...steps[2]!.shardBlocks, ...next.shardBlocks]
      assert.throws(
        () => store.append({ ...next, shardBlocks: twice }),
        isChainError(/does not follow the newest of its/),
      )
      expectSteps(store, steps.slice(0, 3))
      store.append(next)
      expectSteps(store, steps.slice(0, 4))
    }
  })

  it('tells nobody of a head before it is written', () => {
    const files = createMemoryFiles()
    const seen: (number | undefined)[] = []
    const store: ChainStore = new ChainStore(
      zeroStates,
      {
        ...files,
        *append(step) {
          seen.push(store.head?.id.seqno)
          if (seen.length === 3) throw new Error('the disk is full')
          yield* files.append(step)
        },
      },
      { keep: 2 },
    )
    const told: number[] = []
    store.watch({ appended: ({ id }) => told.push(id.seqno), reverted: () => assert.fail() })
    appendSteps(store, steps.slice(0, 2))
    assert.throws(() => store.append(steps[2]!), /the disk is full/)
    expectSteps(store, steps.slice(0, 2))
    appendSteps(store, steps.slice(2, 4))
    expectSteps(store, steps.slice(0, 4))
    assert.deepEqual(seen, [undefined, 1, 2, 2, 3])
    assert.deepEqual(told, [1, 2, 3, 4])
  })
})
