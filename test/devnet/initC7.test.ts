import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MethodCall } from '../../src/chain/ports.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readVmStackValue } from '../../src/codec/tlb/VmStack.ts'
import { openMasterExtra, openState } from '../../src/devnet/liteserver/blockAccess.ts'
import { encodeFullC7 } from '../../src/devnet/liteserver/initC7.ts'
import { previousBlocks } from '../../src/devnet/store/previousBlocks.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { describeFacts } from '../support/describeFacts.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { address, amount, filled } from '../support/sampleMessages.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
/** The instruction PUSH c7. */
const code = new CellWriter().writeUint(0xed47, 16).toCell()

describe('the register c7 in an answer', () => {
  it('is the one that the machine makes for the same run', async (t) => {
    const store = await loadLocalnetStore()
    const vm = await createVirtualMachine({ logger, workers: 1 })
    t.after(() => vm.close())
    const { id } = store.findMaster(395)!
    const state = store.findState(id)!
    const blocks = previousBlocks(id, state)
    assert.deepEqual(
      blocks?.last.map(({ seqno }) => seqno),
      Array.from({ length: 16 }, (_, k) => 395 - k),
    )
    assert.deepEqual(
      blocks?.lastHundreds.map(({ seqno }) => seqno),
      [300, 200, 100, 0],
    )
    assert.equal(blocks?.keyBlock.seqno, 103)
    const self = address(0, 7)
    const call: MethodCall = {
      contract: { address: self, code, data: emptyCell, balance: amount(123n, [[239, 5n]]) },
      methodId: 5,
      stack: [],
      gasLimit: 300_000,
      context: {
        config: openMasterExtra(openState(state)).config.config.root as Cell,
        now: 1_794_712_423,
        randomSeed: filled(9),
        previousBlocks: blocks,
        findLibrary: undefined,
      },
      log: 'none',
    }
    const { exitCode, stack } = await vm.runMethod(call)
    assert.equal(exitCode, 0)
    // The machine is told of no logical time: for it that is zero.
    const bytes = encodeFullC7({ call, address: self, lt: 0n, duePayment: 0n })
    const ours = readVmStackValue(openCell(decodeSingleBoc(bytes)))
    assert.ok(ours.kind === 'tuple' && ours.items[0]?.kind === 'tuple')
    assert.equal(ours.items[0].items.length, 18)
    assert.equal(describeFacts(ours), describeFacts(stack.at(-1)))
  })
})
