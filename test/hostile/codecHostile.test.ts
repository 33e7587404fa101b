import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { DEFAULT_BOC_LIMITS, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { BocError } from '../../src/codec/cell/errors.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { assembleBag } from '../support/RawBag.ts'
import { isLong } from '../support/testLength.ts'
import { MAX_INPUT_MS, MAX_MEMORY_MIB, runCampaign } from './campaign.ts'
import { makeHostileInput } from './hostileInput.ts'
import { Random } from './Random.ts'
import { loadSeedBags } from './seedBags.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const inputs = Number(process.env['FUZZ_COUNT'] ?? (isLong ? 50_000 : 2500))

/** The test runner does not start us with --expose-gc. */
const exposeGc = (): void => {
  setFlagsFromString('--expose-gc')
  globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction
}

test('hostile bags are refused with our error, in time and without filling the memory', (t) => {
  exposeGc()
  const bags = loadSeedBags()
  if (bags.length < 200)
    t.diagnostic('NOT TESTED with bags of the main network: there is no ../shared/fixtures/mainnet.')
  t.diagnostic(`seed ${seed}, ${inputs} inputs from ${bags.length} bags`)
  const report = runCampaign({ seed, from: 0, count: inputs, bags })
  t.diagnostic(
    `slowest input ${report.maxInputMs.toFixed(1)} ms, slowest step ${report.maxStepMs.toFixed(1)} ms (${report.slowestStep})`,
  )
  t.diagnostic(
    `most memory: ${report.maxInputMib.toFixed(1)} MiB for one input, ${report.maxHeldMib.toFixed(1)} MiB held`,
  )
  assert.equal(report.inputs, inputs)
  assert.ok(report.maxInputMs <= MAX_INPUT_MS)
  assert.ok(report.maxInputMib <= MAX_MEMORY_MIB && report.maxHeldMib <= MAX_MEMORY_MIB)
  // If nothing got past the first checks, or everything did, the inputs would prove little.
  const decoded = [...report.kinds]
    .filter(([kind]) => kind.endsWith('decoded'))
    .reduce((sum, [, times]) => sum + times, 0)
  assert.ok(decoded > inputs / 4 && decoded < (inputs * 3) / 4, `${decoded} of ${inputs} inputs were decoded`)
  const reached = [...report.outcomes.keys()]
  for (const outcome of [
    'decode default: invalid_boc',
    'decode default: invalid_proof',
    'hash trusted: invalid_proof',
  ]) {
    assert.ok(reached.includes(outcome), outcome)
  }
})

test('an input depends on its seed and number alone', () => {
  const bags = loadSeedBags()
  for (const number of [0, 1, 77, 123_456]) {
    const { kind, bytes } = makeHostileInput(5, number, bags)
    const again = makeHostileInput(5, number, bags)
    assert.deepEqual([again.kind, toHex(again.bytes)], [kind, toHex(bytes)])
    assert.notEqual(toHex(makeHostileInput(6, number, bags).bytes), toHex(bytes))
  }
  assert.deepEqual([...new Random(1, 2).bytes(4)], [...new Random(1, 2).bytes(4)])
})

test('a bag that promises millions of cells costs nothing', () => {
  exposeGc()
  const empty = new Uint8Array(0)
  const cells = [{ d1: 0, d2: 0, stored: empty, data: empty, refs: [] }]
  globalThis.gc?.()
  const before = process.memoryUsage()
  const start = process.cpuUsage()
  for (let k = 0; k < 1000; k++) {
    const bag = assembleBag({
      cells,
      roots: [0],
      refSize: 4,
      offsetSize: 8,
      cellCount: 1 << 22,
      cellsSize: 6 * 2 ** 22,
    })
    assert.throws(() => decodeSingleBoc(bag), BocError)
  }
  const after = process.memoryUsage()
  assert.ok(process.cpuUsage(start).user < 2_000_000)
  assert.ok(after.heapUsed + after.external - before.heapUsed - before.external < 32 * 2 ** 20)
})

test('the largest bag that is taken stays within a small multiple of its size', () => {
  exposeGc()
  // Two bytes for each cell and one reference to it: the most cells that fit into the bytes.
  const count = 1 << 18
  const cells = Array.from({ length: count }, (_, k) => {
    const refs = [1, 2, 3, 4].map((j) => 4 * k + j).filter((ref) => ref < count)
    return { d1: refs.length, d2: 0, stored: new Uint8Array(0), data: new Uint8Array(0), refs }
  })
  const bytes = assembleBag({ cells, roots: [0], refSize: 3 })
  globalThis.gc?.()
  const before = process.memoryUsage()
  const root = decodeSingleBoc(bytes)
  root.hash()
  const after = process.memoryUsage()
  const grown = after.heapUsed + after.external - before.heapUsed - before.external
  assert.ok(grown < 64 * bytes.length, `${grown} bytes for a bag of ${bytes.length}`)
  assert.ok(bytes.length < DEFAULT_BOC_LIMITS.maxBytes)
})

test('a tree of 1024 levels is read, hashed and written from within a deep call', () => {
  let cell = new CellWriter().toCell()
  for (let k = 0; k < 1024; k++)
    cell = new CellWriter().writeRef(cell).writeRef(cell).writeRef(cell).writeRef(cell).toCell()
  const bytes = encodeBoc([cell])
  const within = (depth: number): string => (depth === 0 ? toHex(decodeSingleBoc(bytes).hash()) : within(depth - 1))
  assert.equal(within(1000), toHex(cell.hash()))
})
