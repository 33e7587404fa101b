import assert from 'node:assert/strict'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SyntheticChain } from '../../../test/support/SyntheticChain.ts'
import { toHex } from '../../primitives/hex.ts'
import { stateHashAfter } from './applyBlock.ts'
import { type BlockFiles, createMemoryFiles } from './BlockFiles.ts'
import { ChainStore } from './ChainStore.ts'
import { StateStore } from './StateStore.ts'

const ACCOUNTS = 500
const STEPS = 300

describe('StateStore', () => {
  it('holds the cells of the states that it keeps and not of all that ever were', async (t) => {
    const chain = new SyntheticChain({ accounts: ACCOUNTS, touched: 20 })
    for (const isHurried of [false, true]) {
      const states = new StateStore({ keep: 10, packAfterCells: 5000 }, chain.zeroStates)
      const { index } = new ChainStore(chain.zeroStates, createMemoryFiles(), { keep: 10 })
      const store = new ChainStore(chain.zeroStates, createMemoryFiles(), { keep: 10 }, { index, states })
      let most = 0
      let made = 0
      for (let k = 0; k < STEPS; k++) {
        const before = states.cells
        store.append(chain.next(store))
        made += Math.max(0, states.cells - before)
        most = Math.max(most, states.cells)
        // Without a turn for others, packing must be done within an append.
        if (!isHurried) await new Promise((resolve) => setImmediate(resolve))
      }
      assert.ok(made > 1.5 * most, `${made} cells were made, at most ${most} were held`)
      assert.equal(states.count, 20)
      for (let seqno = STEPS - 9; seqno <= STEPS; seqno++) {
        for (const { id } of [store.findMaster(seqno)!, ...store.index.listIncluded(seqno)]) {
          assert.equal(toHex(store.findState(id)!.hash()), toHex(stateHashAfter(store.getRoot(id))))
        }
      }
      for (const { id, root } of chain.zeroStates) assert.ok(store.findState(id)!.equals(root))
      t.diagnostic(`${isHurried ? 'hurried' : 'with pauses'}: ${made} cells made, at most ${most} held`)
    }
  })

  it('copies no more than what is new where packing could end while a step waits for the disk', async (t) => {
    const chain = new SyntheticChain({ accounts: ACCOUNTS, touched: 20 })
    const path = join(tmpdir(), `chaincenter-syncing-${process.pid}`)
    const file = await open(path, 'w')
    t.after(async () => {
      await file.close()
      await rm(path)
    })
    const memory = createMemoryFiles()
    const files: BlockFiles = {
      ...memory,
      *append(step) {
        yield* memory.append(step)
        for (let k = 0; k < 8; k++) yield file.fd
      },
    }
    const states = new StateStore({ keep: 10, packAfterCells: 3000 }, chain.zeroStates)
    const { index } = new ChainStore(chain.zeroStates, createMemoryFiles(), { keep: 10 })
    const store = new ChainStore(chain.zeroStates, files, { keep: 10 }, { index, states })
    const whole = states.cells
    let most = 0
    let packed = 0
    for (let k = 0; k < STEPS; k++) {
      const before = states.cells
      await store.appendLater(chain.next(store))
      most = Math.max(most, states.cells - before)
      if (states.cells < before) packed++
    }
    assert.ok(packed > 3, `packed ${packed} times`)
    assert.ok(most < whole / 2, `one step added ${most} cells to a state of ${whole}`)
  })

  it('keeps fewer states where they add many cells, those of a masterchain block together, and the last 64 always', () => {
    const chain = new SyntheticChain({ accounts: ACCOUNTS, touched: 20 })
    const grow = (keepCells: number): [number, number] => {
      const states = new StateStore({ keep: 250, keepCells }, chain.zeroStates)
      const { index } = new ChainStore(chain.zeroStates, createMemoryFiles(), { keep: 0 })
      const store = new ChainStore(chain.zeroStates, createMemoryFiles(), { keep: 0 }, { index, states })
      for (let k = 0; k < STEPS; k++) store.append(chain.next(store))
      const kept = Array.from({ length: STEPS }, (_, k) => STEPS - k).filter((seqno) => {
        const found = [store.findMaster(seqno)!, ...store.index.listIncluded(seqno)].map(({ id }) =>
          store.findState(id),
        )
        assert.equal(new Set(found.map((state) => state === undefined)).size, 1, `block ${seqno}`)
        return found[0] !== undefined
      })
      assert.deepEqual(
        kept,
        Array.from({ length: kept.length }, (_, k) => STEPS - k),
      )
      return [kept.length, states.count]
    }
    assert.deepEqual(grow(10_000_000), [250, 500])
    const [some] = grow(30_000)
    assert.ok(some > 64 && some < 250, `${some}`)
    assert.deepEqual(grow(0), [64, 128])
  })
})
