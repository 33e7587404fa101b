import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { MethodCall } from '../../src/chain/ports.ts'
import { openThreadClock } from '../../src/observe/threads.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import type { OwnedVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { callCode, codeOf, createTestMachine } from '../support/vmSamples.ts'

/** Code that does as much harm as a million gas buys. Each drops the number of its method first. */
const bombs: Readonly<Record<string, () => MethodCall>> = {
  // AGAIN of nothing.
  'gas loop': () => call('30 90 EA'),
  // PUSH c3; EXECUTE
  'deep recursion': () => call('ED43 D8'),
  // DUP; TUPLE 2, over and over.
  'exponential tuples': () => call('30 71 93 206F02 EA'),
  // Each continuation holds the one before and the stack: PUSHCONT {}, DUP, SETCONTARGS.
  'huge continuations': () => call('30 90 96 20 90 EC2F 20 20 EA'),
  // An entry more in a dictionary of 256-bit keys each round: random key, DICTUSET.
  'dictionary bomb': () => call('30 6D 9D C8C9D0 02 F810 02 810100 F416 EA'),
  // DUP, NEWC, four references to the same cell, ENDC.
  'cell tree': () => call('30 C8C9 9A 202020 C8 CCCCCCCC C9 EA'),
  // Stack grows: BLKPUSH 15 of the top.
  'wide stack': () => call('30 71 92 5FF0 EA'),
  // Points of BLS12-381 added over and over: PUSHINT, hash, map to G2, drop.
  'BLS bomb': () => call('30 97 F93025 F93025 F93020 30 EA'),
  'BLS multiplications': () => call('30 9A F93025 F810 F93023 30 EA'),
  // Recovers keys of secp256k1.
  'secp256k1 bomb': () => call('30 9F F810 70 F810 F810 F912 93 303030 DE EA'),
  // RUNVM inside RUNVM.
  'machines within machines': () => call('30 9A 70 ED43 70 DB4000 EA'),
  // Throws and catches.
  exceptions: () => call('30 97 91F221 923030 F2FF EA'),
}

const call = (hex: string): MethodCall => callCode(hex, { gasLimit: 1_000_000 })
const small = callCode('30 71')

const p99 = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!

const clock = openThreadClock()

/** Time of this thread alone, where the system tells: how busy the rest of the machine is does not count. */
const readMs = (): number => clock?.readMs() ?? performance.now()

/** Small runs one after another for a while, each with a turn of the event loop before it, as requests come in. */
const measureSmall = async (machine: OwnedVirtualMachine, durationMs: number): Promise<number> => {
  const times: number[] = []
  const end = performance.now() + durationMs
  while (performance.now() < end) {
    const start = readMs()
    await new Promise((turn) => setImmediate(turn))
    assert.equal((await machine.runMethod(small)).exitCode, 0)
    times.push(readMs() - start)
  }
  return p99(times)
}

const { machine } = await createTestMachine({ after })

describe('whatever code does, it ends within its time, and others go on', () => {
  before(async () => {
    for (let k = 0; k < 100; k++) await machine.runMethod(small)
  })

  for (const [name, make] of Object.entries(bombs)) {
    test(name, async () => {
      const begun = performance.now()
      const outcome = await machine.runMethod(make()).catch((error: unknown) => error)
      assert.ok(!(outcome instanceof Error) || outcome instanceof CodedError, String(outcome))
      // Five seconds of processor time are the limit; the first run of a thread gets three times that.
      assert.ok(performance.now() - begun < 60_000)
    })
  }

  test('a hundred of them at once do not hold up small runs', async () => {
    const calm = await measureSmall(machine, 500)
    const codes = Object.values(bombs)
    const harm = Array.from({ length: 100 }, (_, k) => {
      const hostile = codes[k % codes.length]!()
      // Other code each time, so that none of it is known: PUSHINT k, DROP before the rest.
      const salted = codeOf(`80${(k & 0x7f).toString(16).padStart(2, '0')} 30`, hostile.contract.code)
      return machine.runMethod({ ...hostile, contract: { ...hostile.contract, code: salted } }).catch(() => {})
    })
    const busy = await measureSmall(machine, 500)
    await machine.close()
    await Promise.all(harm)
    // A turn of slices takes a millisecond; the system counts in ticks of several.
    assert.ok(busy < Math.max(2 * calm, calm + 10), `p99 ${calm.toFixed(2)} ms before, ${busy.toFixed(2)} ms meanwhile`)
  })
})
