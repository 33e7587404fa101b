import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { MethodRun } from '../../src/chain/ports.ts'
import { openThreadClock } from '../../src/observe/threads.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import type { OwnedVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { bombs, saltedBomb } from '../support/vmBombs.ts'
import { callCode, createTestMachine } from '../support/vmSamples.ts'

const OUT_OF_GAS = -14

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
      if (outcome instanceof Error) assert.ok(outcome instanceof CodedError, String(outcome))
      else assert.equal((outcome as MethodRun).exitCode, OUT_OF_GAS, 'it is no bomb where it ends before its gas')
      // Five seconds of processor time are the limit; the first run of a thread gets three times that.
      assert.ok(performance.now() - begun < 60_000)
    })
  }

  test('a hundred of them at once do not hold up small runs', async () => {
    const calm = await measureSmall(machine, 500)
    const harm = Array.from({ length: 100 }, (_, k) => machine.runMethod(saltedBomb(k)).catch(() => {}))
    const busy = await measureSmall(machine, 500)
    await machine.close()
    await Promise.all(harm)
    // A turn of slices takes a millisecond; the system counts in ticks of several.
    assert.ok(busy < Math.max(2 * calm, calm + 10), `p99 ${calm.toFixed(2)} ms before, ${busy.toFixed(2)} ms meanwhile`)
  })
})
