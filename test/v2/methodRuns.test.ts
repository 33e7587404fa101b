import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MethodRunner } from '../../src/api/v2/getMethods/MethodRunner.ts'
import type { LiveNode } from '../../src/chain/LiveChain.ts'
import type { MethodCall, MethodRun, VirtualMachine } from '../../src/chain/ports.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { address, amount } from '../support/sampleMessages.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import { codeOf, createTestMachine } from '../support/vmSamples.ts'

const fresh = (): AbortSignal => new AbortController().signal
const afters: (() => Promise<void>)[] = []

describe('runs of get-methods', () => {
  let service: V2NetworkService
  let machine: VirtualMachine
  let calls: MethodCall[] = []

  before(async () => {
    service = await startV2Network()
    machine = (await createTestMachine({ after: (close: () => Promise<void>) => void afters.push(close) })).machine
  })
  after(async () => {
    await service.close()
    for (const close of afters) await close()
  })

  /** The real machine, its runs counted. */
  const countingMachine = (): VirtualMachine => {
    calls = []
    return {
      ...machine,
      runShortMethod: (call) => {
        const short = machine.runShortMethod(call)
        if (short !== undefined) calls.push(call)
        return short
      },
      runMethod: (call, signal) => {
        calls.push(call)
        return machine.runMethod(call, signal)
      },
    }
  }

  const createRuns = (): MethodRunner => new MethodRunner({ vm: countingMachine(), maxBytes: 1 << 20 })

  const withNode = <T>(work: (node: LiveNode) => Promise<T>): Promise<T> =>
    createLiveChain(service.node).withNode({ signal: fresh() }, work)

  const question = (hex: string, more = {}) => ({
    contract: { address: address(0, 9), code: codeOf(hex), data: emptyCell, balance: amount(1000n) },
    now: 1_700_000_000,
    methodId: 1,
    stack: [],
    ...more,
  })

  const run = (runs: MethodRunner, asked: ReturnType<typeof question>, signal = fresh()): Promise<MethodRun> =>
    withNode((node) => runs.run(node, asked, { signal }))

  it('runs what looks at its own contract alone once, however many blocks there come', async () => {
    const runs = createRuns()
    const first = await run(runs, question('30 71'))
    for (let block = 0; block < 3; block++) {
      await service.mine()
      assert.deepEqual(await run(runs, question('30 71', { now: 1_700_000_001 + block })), first)
    }
    assert.equal(calls.length, 1)
  })

  it('runs every call where results are not reused', async () => {
    const runs = new MethodRunner({ vm: countingMachine(), maxBytes: 1 << 20, reuseResults: false })
    const first = await run(runs, question('30 71'))
    assert.deepEqual(await run(runs, question('30 71')), first)
    assert.equal(calls.length, 2)
  })

  it('runs what looks at the block again after each block, and within it once', async () => {
    const runs = createRuns()
    // PREVMCBLOCKS
    const asked = question('30 F83400')
    for (let block = 0; block < 3; block++) {
      await service.mine()
      for (let time = 0; time < 3; time++) await run(runs, asked)
      assert.equal(calls.length, block + 1)
    }
    // The time of the state and what the contract owns are a part of the question.
    await run(runs, question('30 F83400', { now: 1_700_000_500 }))
    await run(runs, { ...asked, contract: { ...asked.contract, balance: amount(1001n) } })
    assert.equal(calls.length, 5)
  })

  it('runs what looks at the time or the balance again when these are others, not after each block', async () => {
    const runs = createRuns()
    for (const code of ['30 F823', '30 F827']) {
      calls.length = 0
      for (let block = 0; block < 2; block++) {
        await service.mine()
        await run(runs, question(code))
      }
      assert.equal(calls.length, 1)
      const asked = question(code, { now: 1_700_000_500 })
      await run(runs, asked)
      await run(runs, { ...asked, contract: { ...asked.contract, balance: amount(1001n) } })
      assert.equal(calls.length, 3)
    }
  })

  it('takes every other difference for one', async () => {
    const runs = createRuns()
    const asked = question('30 71')
    const { contract } = asked
    const others = [
      asked,
      { ...asked, methodId: 2 },
      { ...asked, stack: [{ kind: 'int', value: 1n } as const] },
      { ...asked, stack: [{ kind: 'int', value: 2n } as const] },
      { ...asked, stack: [{ kind: 'null' } as const] },
      { ...asked, contract: { ...contract, data: codeOf('00') } },
      { ...asked, contract: { ...contract, code: codeOf('30 72') } },
      { ...asked, contract: { ...contract, address: address(0, 8) } },
    ]
    for (const each of [...others, ...others]) await run(runs, each as typeof asked)
    assert.equal(calls.length, others.length)
  })

  it('does at one time for all what several want', async () => {
    const runs = createRuns()
    const asked = question('30 F823')
    const all = await Promise.all(Array.from({ length: 20 }, () => run(runs, asked)))
    assert.equal(calls.length, 1)
    assert.equal(new Set(all).size, 1)
  })

  it('goes on for those who still wait when the one who began has gone', async () => {
    const runs = createRuns()
    const asked = question('30 71 8107D0 92 2030 E4 F823')
    const giveUp = new AbortController()
    const first = run(runs, asked, giveUp.signal)
    const second = run(runs, asked)
    while (calls.length === 0) await new Promise((done) => setImmediate(done))
    giveUp.abort(new Error('gone'))
    await assert.rejects(first, /gone/)
    assert.equal((await second).exitCode, 0)
    await assert.rejects(
      run(runs, { ...asked, methodId: 2 }, AbortSignal.abort(new Error('never there'))),
      /never there/,
    )
  })

  it('asks for the whole configuration once, as long as that is the same', async () => {
    const runs = createRuns()
    let whole = 0
    await withNode(async (node) => {
      const counting = Object.create(node) as LiveNode
      counting.getConfig = (params, at) => {
        if (params === undefined) whole++
        return node.getConfig(params, at)
      }
      const { config, configKey } = await runs.heads.get(counting)
      assert.equal(Buffer.from(config.hash()).toString('hex'), configKey)
      for (let block = 0; block < 3; block++) {
        await service.mine()
        const next = await runs.heads.get(counting)
        assert.equal(next.config, config)
        assert.equal(next.previousBlocks.last[0]?.seqno, next.head.seqno)
      }
      assert.equal(whole, 1)
      // More shards are a change of the configuration, as soon as the block is there that has it.
      await service.network.controls.reshard('split')
      await service.mine(3)
      const changed = await runs.heads.get(counting)
      assert.notEqual(changed.configKey, configKey)
      assert.equal(whole, 2)
    })
  })

  it('keeps only as much as it may', async () => {
    const runs = new MethodRunner({ vm: countingMachine(), maxBytes: 5000 })
    for (let id = 0; id < 20; id++) await run(runs, question('30 71', { methodId: id }))
    for (let id = 0; id < 20; id++) await run(runs, question('30 71', { methodId: id }))
    assert.equal(calls.length, 40)
  })
})
