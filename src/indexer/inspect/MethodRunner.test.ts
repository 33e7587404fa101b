import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractAt } from '../../../test/support/contractRunner.ts'
import { at, minter, scripted, wallet } from '../../../test/support/inspectContracts.ts'
import { inspectStates, sampleInspector, sampleStates } from '../../../test/support/inspectSample.ts'
import { endless, swelling } from '../../../test/support/scriptedCode.ts'
import { cell, int, slice } from '../../../test/support/scriptedMethods.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { packCell } from '../../codec/stored/packCell.ts'
import { contractInit } from '../../devnet/contracts/contractInit.ts'
import { createLogger } from '../../observe/Logger.ts'
import { VmBusyError, VmCrashedError, VmNotStartedError, VmTimeoutError } from '../../tvm/errors.ts'

const { machine } = await createTestMachine({ after })

describe('what does harm', () => {
  const everything = [
    ...['get_wallet_data', 'get_jetton_data', 'get_nft_data', 'get_collection_data', 'get_sale_data'],
    ...['get_fix_price_data_v4', 'get_auction_data_v4', 'get_multisig_data', 'get_order_data'],
  ]
  const all = (code: Cell) => Object.fromEntries(everything.map((name) => [name, code]))

  test('takes its gas once, not for each kind of contract, and does not touch others', async () => {
    const inspector = sampleInspector(machine, sampleStates([minter]))
    const states = [scripted(at(1), all(endless)), wallet(7n)].map((contract) => ({ contract, lt: 1n }))
    const { contracts } = await inspectStates(inspector, states)
    assert.equal(contracts.jetton_wallets.length, 1)
    const { runs, failedRuns, refused } = inspector.stats
    assert.deepEqual([runs, failedRuns.gas, refused], [3, 1, { jetton_wallet: 1 }])
  })

  test('is not asked for ever', async () => {
    const inspector = sampleInspector(machine, sampleStates([]))
    for (let k = 0; k < 6; k++) {
      const data = new CellWriter().writeUint(k, 8).toCell()
      await inspectStates(inspector, [{ contract: scripted(at(1), all(endless), data), lt: BigInt(k) }])
    }
    assert.equal(inspector.stats.runs, 1)
  })

  test('results of any size and kind are refused', async () => {
    const inspector = sampleInspector(machine, sampleStates([]))
    const { contracts } = await inspectStates(inspector, [{ contract: scripted(at(1), all(swelling)), lt: 1n }])
    assert.ok(Object.values(contracts).every((rows) => rows.length === 0))
    const odd = [[], [int(1)], [cell(emptyCell), int(1)], Array.from({ length: 30 }, () => slice(emptyCell))]
    for (const stack of odd) {
      const methods = Object.fromEntries(everything.map((name) => [name, stack]))
      const found = await inspectStates(sampleInspector(machine, sampleStates([])), [
        { contract: scripted(at(1), methods), lt: 1n },
      ])
      assert.ok(Object.values(found.contracts).every((rows) => rows.length === 0))
    }
  })

  test('code without a list of methods is not tried', async () => {
    const inspector = sampleInspector(machine, sampleStates([]))
    const contract = contractAt(at(1), contractInit(endless, emptyCell))
    const { codes } = await inspectStates(inspector, [{ contract, lt: 1n }])
    assert.equal(inspector.stats.runs, 0)
    assert.deepEqual(codes, [{ code_hash: endless.hash(), code: packCell(endless), methods: undefined }])
  })
})

/** The machine, which fails for some time. */
const failing = (failures: number, error: () => Error): VirtualMachine => {
  let left = failures
  return {
    ...machine,
    runMethod: (call, given) => (left-- > 0 ? Promise.reject(error()) : machine.runMethod(call, given)),
  }
}

/** The machine, which fails at its n-th run. */
const failingAt = (number: number, error: () => Error): VirtualMachine => {
  let count = 0
  return {
    ...machine,
    runMethod: (call, given) => (++count === number ? Promise.reject(error()) : machine.runMethod(call, given)),
  }
}

describe('a machine that fails', () => {
  test('makes the batch fail, which may be tried again', async () => {
    for (const [error, code] of [
      [() => new VmBusyError('Too many runs.'), 'vm_busy'],
      [() => new VmNotStartedError('No thread.'), 'vm_crashed'],
    ] as const) {
      const inspector = sampleInspector(failing(1, error), sampleStates([]))
      await assert.rejects(inspectStates(inspector, [{ contract: minter, lt: 1n }]), { code, retryable: true })
      const { contracts } = await inspectStates(inspector, [{ contract: minter, lt: 1n }])
      assert.equal(contracts.jetton_masters.length, 1)
    }
  })

  test('over one run costs that contract alone, once', async () => {
    for (const [error, failure] of [
      [() => new VmCrashedError('It broke down.'), 'crash'],
      [() => new VmTimeoutError('It took too long.'), 'timeout'],
    ] as const) {
      const lines: string[] = []
      const logger = createLogger({
        level: 'warn',
        format: 'json',
        colours: false,
        write: (line) => void lines.push(line),
      })
      const inspector = sampleInspector(failing(1, error), sampleStates([minter]), { logger, parallel: 1 })
      const bad = scripted(at(1), { get_jetton_data: endless })
      const states = [bad, wallet(7n), scripted(at(2), { get_jetton_data: endless })].map((contract) => ({
        contract,
        lt: 1n,
      }))
      for (let k = 0; k < 3; k++) {
        const { contracts } = await inspectStates(inspector, states)
        assert.equal(contracts.jetton_wallets.length, 1)
      }
      assert.equal(inspector.stats.failedRuns[failure], 1)
      assert.equal(inspector.stats.failedRuns.gas, 0)
      assert.equal(lines.length, 1)
      assert.match(lines[0]!, /get-method failed, contract skipped/)
    }
  })

  test('over code that ended well before is tried once more', async () => {
    const inspector = sampleInspector(
      failingAt(3, () => new VmTimeoutError('It took too long.')),
      sampleStates([minter]),
    )
    await inspectStates(inspector, [{ contract: minter, lt: 1n }])
    const { contracts } = await inspectStates(inspector, [{ contract: wallet(7n), lt: 1n }])
    assert.equal(contracts.jetton_wallets.length, 1)
  })

  test('a view that fails makes the batch fail', async () => {
    const states = sampleStates([minter])
    const broken = {
      forget: () => undefined,
      openAt: async (seqno: number, given: AbortSignal) => ({
        ...(await states.openAt(seqno, given)),
        findContract: () => Promise.reject(new VmBusyError('Not now.')),
      }),
    }
    const inspector = sampleInspector(machine, broken)
    await assert.rejects(inspectStates(inspector, [{ contract: wallet(1n), lt: 1n }]), { retryable: true })
  })
})
