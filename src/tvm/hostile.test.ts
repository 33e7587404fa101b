import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyMethodCode, hostileBodies, tokenCode } from '../../test/support/hostileContracts.ts'
import { amount, filled, internalMessage } from '../../test/support/sampleMessages.ts'
import {
  accountWith,
  callCode,
  codeOf,
  createTestMachine,
  libraryReference,
  sampleContext,
  sampleVmConfig,
} from '../../test/support/vmSamples.ts'
import { waitUntil } from '../../test/support/waitUntil.ts'
import type { MethodCall, MethodRun, RunContext, TransactionCall } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { configDictType } from '../codec/tlb/config/configParams.ts'
import { readTransaction } from '../codec/tlb/Transaction.ts'
import { encodeVmStack } from '../codec/tlb/VmStack.ts'
import { CodedError } from '../primitives/errors.ts'
import { defaultThreads } from './createVirtualMachine.ts'
import { VmBusyError, VmInputError, VmResultError, VmTimeoutError } from './errors.ts'

const OUT_OF_GAS = -14

const sendTo = (hex: string, context: RunContext): TransactionCall => ({
  account: accountWith({ code: codeOf(hex) }),
  cause: { kind: 'message', message: internalMessage({ value: amount(400_000_000n) }) },
  lt: 2_000_001n,
  context,
  ignoreSignatures: false,
  log: 'none',
})

test('a loop that its gas does not end is ended by the clock, and others are served', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 300 })
  const results = await Promise.allSettled([
    machine.runMethod(callCode('30 90 EA', { gasLimit: 1_000_000_000 })),
    machine.runMethod(callCode('30 71')),
  ])
  assert.ok(results[0]?.status === 'rejected' && results[0].reason instanceof VmTimeoutError)
  assert.ok(results[1]?.status === 'fulfilled' && results[1].value.exitCode === 0)
})

/** Programs that go on until something ends them. */
const gluttons: readonly { readonly name: string; readonly hex: string; readonly exitCode: number }[] = [
  { name: 'nothing at all', hex: '90 EA', exitCode: OUT_OF_GAS },
  { name: 'the stack', hex: '91 70 EA', exitCode: OUT_OF_GAS },
  { name: 'one tuple in another', hex: '6D 92 6F01 EA', exitCode: OUT_OF_GAS },
  { name: 'calls in calls', hex: 'ED43 D8', exitCode: OUT_OF_GAS },
  { name: 'random numbers', hex: '93 F81030 EA', exitCode: OUT_OF_GAS },
  { name: 'hashes', hex: 'C8 C9 94 20 F900 30 EA', exitCode: OUT_OF_GAS },
  { name: 'a cell in a cell, as deep as they go', hex: 'C8 C9 93 C8CCC9 EA', exitCode: 8 },
  { name: 'a number, as large as they come', hex: '72 92 20A8 EA', exitCode: 4 },
]

test('whatever a contract fills until its gas is gone, the machine goes on', async (t) => {
  const { machine } = await createTestMachine(t)
  for (const { name, hex, exitCode } of gluttons) {
    const method = await machine.runMethod(callCode(hex, { gasLimit: 1_000_000 }))
    assert.equal(method.exitCode, exitCode, name)
    const run = await machine.runTransaction(sendTo(hex, sampleContext()))
    assert.ok(run.kind === 'executed')
    const { description } = readTransaction(openCell(run.transaction))
    assert.ok(description.kind === 'ord' && description.computePhase.kind === 'vm')
    assert.equal(description.computePhase.exitCode, exitCode, name)
  }
})

test('values nested far deeper than any gas buys cost one run at most', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 20_000 })
  // 50 times 4000 tuples in one another.
  const call = callCode('30 6D 8032 97 810FA0 92 6F01 E4 E4', { gasLimit: 100_000_000 })
  await assert.rejects(machine.runMethod(call), CodedError)
  assert.equal((await machine.runMethod(callCode('30 71'))).exitCode, 0)
})

test('a configuration that lacks or garbles what every run needs fails those runs alone', async (t) => {
  const { machine } = await createTestMachine(t)
  const params = new Dict(configDictType, sampleVmConfig())
  const broken = [20, 21, 25, 31].flatMap((id) => [
    params.delete(id).root as Cell,
    params.set(id, codeOf('123456')).root as Cell,
    params.set(id, libraryReference(filled(1))).root as Cell,
  ])
  let refused = 0
  for (const config of broken) {
    const context = sampleContext({ config })
    const runs = await Promise.allSettled([
      machine.runMethod(callCode('30 71', { context })),
      machine.runTransaction(sendTo('F800', context)),
    ])
    for (const run of runs) {
      if (run.status === 'fulfilled') continue
      refused++
      assert.ok(run.reason instanceof CodedError, String(run.reason))
    }
  }
  assert.ok(refused >= 10, `Only ${refused} runs failed.`)
  assert.equal((await machine.runTransaction(sendTo('F800', sampleContext()))).kind, 'executed')
})

/** A program that goes on until its gas is gone, and one that is done at once. */
const LOOP = '30 90 EA'
const QUICK = '30 71'

test('who has taken long waits apart, and others do not wait for him', async (t) => {
  const { machine } = await createTestMachine(t)
  const loop = callCode(LOOP, { gasLimit: 1_000_000 })
  assert.equal((await machine.runMethod(loop)).exitCode, OUT_OF_GAS)
  let ended = 0
  const loops = Array.from({ length: 4 }, () => machine.runMethod(loop).then(() => void ended++))
  for (let k = 0; k < 10; k++) assert.equal((await machine.runMethod(callCode(QUICK))).exitCode, 0)
  assert.ok(ended < 3, `${ended} of 4 loops had ended before 10 quick runs`)
  await Promise.all(loops)
})

test('so many wait apart, and no more', async (t) => {
  const { machine } = await createTestMachine(t)
  const loop = callCode(LOOP, { gasLimit: 1_000_000 })
  await machine.runMethod(loop)
  const waiting = Array.from({ length: 40 }, () => new AbortController())
  const results = waiting.map(({ signal }) => machine.runMethod(loop, signal).catch((error: unknown) => error))
  assert.ok((await results.at(-1)) instanceof VmBusyError)
  for (const each of waiting) each.abort(new Error('enough'))
  await Promise.all(results)
  assert.equal((await machine.runMethod(callCode(QUICK))).exitCode, 0)
})

/** Loops in a machine within the machine, with gas of its own: 200 times 1000. */
const INNER_LOOP = '30 70 8B290EA8 8100C8 8103E8 A8 DB4008'

test('with little gas or much, a run ends as with all that it may have', async (t) => {
  const { machine } = await createTestMachine(t)
  const programs = [QUICK, LOOP, INNER_LOOP, '30 817530 92 2030 E4', ...gluttons.map(({ hex }) => hex)]
  for (const hex of programs) {
    // To write down every step takes long: these are as many as tell little gas from much.
    for (const gasLimit of [60_000, 250_000]) {
      const call = callCode(hex, { gasLimit })
      // Asked for a log, it gets all of its gas at once.
      const whole = await machine.runMethod({ ...call, log: 'steps' })
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(describe(await machine.runMethod(call)), describe(whole), hex)
      }
    }
  }
  const inner = await machine.runMethod(callCode(INNER_LOOP, { gasLimit: 1_000_000 }))
  assert.equal(inner.exitCode, 0)
  assert.ok(inner.gasUsed > 200_000, `${inner.gasUsed}`)
})

const describe = ({ exitCode, gasUsed, stack }: MethodRun) => ({
  exitCode,
  gasUsed,
  stack: Buffer.from(encodeVmStack(stack)).toString('hex'),
})

/** What an estimate of fees runs: a message to code that accepts it and goes on for ever. */
const estimate = (foreign: 'call' | 'code'): TransactionCall => ({
  ...sendTo('F800 90 EA', sampleContext()),
  foreign,
})

for (const foreign of ['call', 'code'] as const) {
  test(`transactions that strangers have run wait apart as well, where the ${foreign} is theirs`, async (t) => {
    const { machine } = await createTestMachine(t)
    // The first one of a call is not known to take long.
    if (foreign === 'call') await machine.runTransaction(estimate(foreign))
    let ended = 0
    const runs = Array.from({ length: 4 }, () => machine.runTransaction(estimate(foreign)).then(() => void ended++))
    for (let k = 0; k < 10; k++) assert.equal((await machine.runMethod(callCode(QUICK))).exitCode, 0)
    assert.ok(ended < 3, `${ended} of 4 transactions had ended before 10 quick runs`)
    await Promise.all(runs)
  })
}

test('every hostile contract can be deployed: it takes an internal message without doing anything', async (t) => {
  const { machine } = await createTestMachine(t)
  for (const [name, body] of Object.entries(hostileBodies())) {
    for (const code of [anyMethodCode(body), tokenCode(body, 1)]) {
      const run = await machine.runTransaction({ ...sendTo('', sampleContext()), account: accountWith({ code }) })
      assert.ok(run.kind === 'executed', name)
      const { description } = readTransaction(openCell(run.transaction))
      assert.ok(description.kind === 'ord' && description.computePhase.kind === 'vm', name)
      assert.equal(description.computePhase.exitCode, 0, name)
    }
  }
})

const callHostile = (code: Cell, more: Partial<MethodCall> = {}): MethodCall => {
  const call = callCode('', { gasLimit: 1_000_000, methodId: 85_143, ...more })
  return { ...call, contract: { ...call.contract, code } }
}

test('whatever a get-method leaves, it is handed back or refused within the time of a quick run', async (t) => {
  const { machine } = await createTestMachine(t)
  const refused = new Set<string>()
  for (const [name, body] of Object.entries(hostileBodies())) {
    const outcome = await machine.runMethod(callHostile(anyMethodCode(body))).catch((error: unknown) => error)
    if (outcome instanceof VmResultError) refused.add(name)
    else assert.ok(!(outcome instanceof Error), `${name}: ${outcome}`)
  }
  for (const name of ['sharedTuple', 'widerTuples', 'thrownTuple']) assert.ok(refused.has(name), name)
  // No run had to be ended.
  for (const { failed } of Object.values(machine.stats())) assert.equal(failed, 0)
})

const bodies = hostileBodies()

/** Takes longer than the test allows: with all the gas there can be. */
const endless = (more: Partial<MethodCall> = {}, salt = 0): MethodCall =>
  callHostile(anyMethodCode(bodies.endlessLoop, salt), { gasLimit: 1_000_000_000, ...more })

test('a long run does not hold up the next one, however few cores there are', async (t) => {
  const { machine } = await createTestMachine(t, { workers: defaultThreads(), timeLimitMs: 1000 })
  const runs = [1, 2, 3, 4].map((salt) => machine.runMethod(endless({}, salt)))
  await waitUntil('two runs are under way at once', () => machine.stats().long.busy >= 2, { timeoutMs: 20_000 })
  await Promise.allSettled(runs)
})

test('code that exceeds its time is refused at once from then on', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 300 })
  await assert.rejects(machine.runMethod(endless()), /took longer than 300 ms/)
  const { failed } = machine.stats().long
  const begun = performance.now()
  for (let k = 0; k < 1000; k++) await assert.rejects(machine.runMethod(endless()), VmTimeoutError)
  assert.ok(performance.now() - begun < 1000 * 300)
  assert.equal(machine.stats().long.failed, failed)
  await assert.rejects(machine.runMethod(endless({ forIndex: true })), VmTimeoutError)
})

test('the index makes one short attempt, and goes before all that wait', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 20_000, quickTimeLimitMs: 100 })
  await machine.runMethod(callCode(QUICK))
  const ended: string[] = []
  const others = Array.from({ length: 12 }, (_, salt) =>
    machine.runMethod(callHostile(anyMethodCode(bodies.endlessLoop, salt + 1))).then(() => ended.push('other')),
  )
  const index = endless({ forIndex: true })
  await assert.rejects(machine.runMethod(index), /took longer than (?:100|200) ms/)
  ended.push('index')
  await Promise.all(others)
  // Besides those that a thread had already, it waits for none.
  assert.ok(ended.indexOf('index') <= 6, ended.join())
  const { done, failed } = machine.stats().long
  await assert.rejects(machine.runMethod(index), /exceeded its time limit before/)
  assert.deepEqual([machine.stats().long.done, machine.stats().long.failed], [done, failed])
})

test('known code does not wait for code on trial, nor for slow code', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 2000, quickTimeLimitMs: 1000 })
  assert.equal((await machine.runMethod(callCode(QUICK))).exitCode, 0)
  let ended = 0
  const harm = Array.from({ length: 10 }, (_, salt) => machine.runMethod(endless({}, salt)).catch(() => void ended++))
  for (let k = 0; k < 50; k++) assert.equal((await machine.runMethod(callCode(QUICK))).exitCode, 0)
  assert.equal(ended, 0)
  await machine.close()
  await Promise.all(harm)
})

test('a transaction that exceeds its time is remembered with its code', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 1, quickTimeLimitMs: 1 })
  const run = (): Promise<unknown> => machine.runTransaction(estimate('call'))
  await assert.rejects(run(), VmTimeoutError)
  await assert.rejects(run(), /can be run again in/)
})

test('arguments are bounded by their size', async (t) => {
  const { machine } = await createTestMachine(t)
  const large = new CellWriter()
  for (let branch = 0; branch < 3; branch++) {
    let chain = emptyCell
    for (let k = 0; k < 1000; k++) {
      chain = new CellWriter().writeUint(branch, 8).writeBytes(new Uint8Array(100)).writeRef(chain).toCell()
    }
    large.writeRef(chain)
  }
  const call = callCode(QUICK, { stack: [{ kind: 'cell', cell: large.toCell() }] })
  await assert.rejects(
    machine.runMethod(call),
    (error) => error instanceof VmInputError && /limit is 262144/.test(error.message),
  )
})
