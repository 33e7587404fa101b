// npm run bench -- tvm-bounded    code that does as much harm as a million gas buys: memory and time of each, and what others notice of it
import { formatTable } from '../../test/support/formatTable.ts'
import { bombs, saltedBomb } from '../../test/support/vmBombs.ts'
import { callCode } from '../../test/support/vmSamples.ts'
import type { MethodCall } from '../chain/ports.ts'
import { createLogger } from '../observe/Logger.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from './createVirtualMachine.ts'
import { ExecutorConfig } from './executor/ExecutorConfig.ts'
import { beginMethod } from './runs.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => {} })
const MEBIBYTE = 2 ** 20
const SLICE_GAS = 20_000
const HOSTILE_RUNS = 100

const liveBytes = (): number => {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

/** Runs a method on this thread, and looks at what is alive after every few thousand gas. */
const measureMemory = (
  call: MethodCall,
): { readonly peakMb: number; readonly ms: number; readonly exitCode: number } => {
  const config = new ExecutorConfig(call.context.config)
  const before = liveBytes()
  const run = beginMethod(call, { config, libraries: [], previousBlocks: null, log: undefined, refusesSlow: false })
  let peak = 0
  let ms = 0
  for (;;) {
    const start = performance.now()
    const result = run.advance(SLICE_GAS)
    ms += performance.now() - start
    peak = Math.max(peak, liveBytes() - before)
    if (result !== undefined) return { peakMb: peak / MEBIBYTE, ms, exitCode: result.exitCode }
  }
}

const small = callCode('30 71')

/** Small runs, each after a turn of the event loop, as requests come in. */
const measureSmall = async (machine: OwnedVirtualMachine, durationMs: number): Promise<number> => {
  const times: number[] = []
  const end = performance.now() + durationMs
  while (performance.now() < end) {
    const start = performance.now()
    await new Promise((turn) => setImmediate(turn))
    await machine.runMethod(small)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

export const run = async (): Promise<Record<string, number>> => {
  const rows = Object.entries(bombs).map(([name, make]) => {
    const { peakMb, ms, exitCode } = measureMemory(make())
    return { code: name, 'live MiB': peakMb, ms, 'exit code': exitCode }
  })
  console.log(formatTable(rows))
  const machine = await createVirtualMachine({ logger, workers: 1, startAfterMs: 0 })
  for (let k = 0; k < 2000; k++) await machine.runMethod(small)
  const calm = await measureSmall(machine, 2000)
  const harm = Array.from({ length: HOSTILE_RUNS }, (_, k) => machine.runMethod(saltedBomb(k)).catch(() => {}))
  const busy = await measureSmall(machine, 4000)
  await machine.close()
  await Promise.all(harm)
  console.log(
    formatTable([
      { 'small runs, p99 ms': 'alone', ms: calm },
      { 'small runs, p99 ms': `beside ${HOSTILE_RUNS} hostile runs`, ms: busy },
    ]),
  )
  return {
    peak_mb: Math.max(...rows.map((row) => row['live MiB'])),
    slowest_ms: Math.max(...rows.map((row) => row.ms)),
    p99_alone_ms: calm,
    p99_beside_ms: busy,
    p99_ratio: busy / calm,
  }
}
