import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SyntheticChain } from '../../../test/support/SyntheticChain.ts'
import { toHex } from '../../primitives/hex.ts'
import { stateHashAfter } from './applyBlock.ts'
import { createMemoryFiles } from './BlockFiles.ts'
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
})
