import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, internalMessage } from '../../test/support/sampleMessages.ts'
import { accountWith, callCode, codeOf, createTestMachine, sampleContext } from '../../test/support/vmSamples.ts'
import { CodedError } from '../primitives/CodedError.ts'
import { VmTimeoutError } from './errors.ts'

test('a loop that its gas does not end is ended by the clock, and others are served', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 300 })
  const results = await Promise.allSettled([
    machine.runMethod(callCode('30 90 EA', { gasLimit: 1_000_000_000 })),
    machine.runMethod(callCode('30 71')),
  ])
  assert.ok(results[0]?.status === 'rejected' && results[0].reason instanceof VmTimeoutError)
  assert.ok(results[1]?.status === 'fulfilled' && results[1].value.exitCode === 0)
})

/** Programs that go on until their gas is gone: each fills something. */
const gluttons: readonly { readonly name: string; readonly hex: string }[] = [
  { name: 'the stack', hex: '30 91 70 EA' },
  { name: 'one tuple in another', hex: '30 6D 92 6F01 EA' },
  { name: 'cells in cells', hex: '30 C8 C9 93 C8CCC9 EA' },
  { name: 'continuations in continuations', hex: '30 90 93 0090 EDF2 EA'.replace('EDF2', 'EDF2') },
  { name: 'a growing number', hex: '30 71 92 20A8 EA' },
  { name: 'its own code, called again', hex: '30 ED43 20 D8' },
  { name: 'random numbers', hex: '30 93 F81030 EA' },
  { name: 'hashes', hex: '30 C8 C9 95 20 F900 30 EA' },
]

test('whatever a contract fills until its gas is gone, the machine goes on', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 5000 })
  for (const { name, hex } of gluttons) {
    const method = await machine.runMethod(callCode(hex, { gasLimit: 1_000_000 })).then(
      ({ exitCode }) => exitCode !== 0,
      (error: unknown) => error instanceof CodedError,
    )
    assert.ok(method, name)
    const account = accountWith({ code: codeOf(`F800 ${hex}`) })
    const message = internalMessage({ value: amount(5_000_000_000n) })
    const run = await machine.runTransaction({
      account,
      cause: { kind: 'message', message },
      lt: 2_000_001n,
      context: sampleContext(),
      ignoreSignatures: false,
      log: 'none',
    })
    assert.equal(run.kind, 'executed', name)
    const after = await machine.runMethod(callCode('30 71'))
    assert.deepEqual(after.stack, [{ kind: 'int', value: 1n }], name)
  }
})

test('values nested far deeper than any gas buys cost one run at most', async (t) => {
  const { machine } = await createTestMachine(t, { timeLimitMs: 20_000 })
  // Half a million tuples in one another: 100 times 5000.
  const call = callCode('30 6D 8064 95 811388 92 6F01 E4 E4'.replace('95', '97'), { gasLimit: 100_000_000 })
  await assert.rejects(machine.runMethod(call), CodedError)
  assert.equal((await machine.runMethod(callCode('30 71'))).exitCode, 0)
})
