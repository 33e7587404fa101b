// npm run fuzz -- --count 1000000 --seed 1 [--from 0] [--out <folder>]
// Sends hostile bags of cells through everything that reads them. Each input depends only on the seed and its number, so a
// run can be continued with --from, and a failing input be made again. The last line is one JSON object with the figures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HostileInputFailure, type Report, runCampaign } from '../test/hostile/campaign.ts'
import { loadSeedBags } from '../test/hostile/seedBags.ts'
import { formatTable, roundFigure } from '../test/support/formatTable.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    out: { type: 'string', default: join(tmpdir(), 'chaincenter-fuzz') },
  },
})
const [count, seed, from] = [values.count, values.seed, values.from].map(Number)
if (![count, seed, from].every((value) => Number.isSafeInteger(value) && value! >= 0)) {
  console.error('--count, --seed and --from are whole numbers.')
  process.exit(2)
}
if (globalThis.gc === undefined) console.log('Without --expose-gc what is held in memory is not measured.')

const bags = loadSeedBags()
console.log(`${count} inputs of seed ${seed} from number ${from}, made from ${bags.length} bags`)
const start = performance.now()
const perSecond = (report: Report): number => Math.round(report.inputs / ((performance.now() - start) / 1000))

const print = (report: Report): void => {
  if (report.inputs % 10_000 !== 0) return
  const { inputs, maxStepMs, slowestStep, maxInputMs, maxInputMib, maxHeldMib } = report
  console.log(
    `${from! + inputs} done, ${perSecond(report)}/s, slowest step ${maxStepMs.toFixed(1)} ms (${slowestStep}), ` +
      `slowest input ${maxInputMs.toFixed(1)} ms, ${maxInputMib.toFixed(1)} MiB for one input, ${maxHeldMib.toFixed(1)} MiB held`,
  )
}

const table = (counts: ReadonlyMap<string, number>): string =>
  formatTable([...counts].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => ({ what, times })))

/** One input alone is run with the stacks of its errors. */
const showStack = (number: number): void => {
  try {
    runCampaign({ seed: seed!, from: number, count: 1, bags })
    console.error('Run alone, it does not fail.')
  } catch (error) {
    if (error instanceof Error) console.error(error.cause instanceof Error ? error.cause.stack : error.stack)
  }
}

try {
  const report = runCampaign({ seed: seed!, from: from!, count: count!, bags, onProgress: print })
  console.log(`\n${table(report.kinds)}\n\n${table(report.outcomes)}\n`)
  const { inputs, maxStepMs, slowestStep, maxInputMs, maxInputMib, maxHeldMib } = report
  const measured = { maxStepMs, maxInputMs, maxInputMib, maxHeldMib }
  const rounded = Object.fromEntries(Object.entries(measured).map(([name, value]) => [name, roundFigure(value)]))
  console.log(
    JSON.stringify({ fuzz: 'codec', inputs, seed, from, perSecond: perSecond(report), slowestStep, ...rounded }),
  )
} catch (error) {
  if (!(error instanceof HostileInputFailure)) throw error
  mkdirSync(values.out, { recursive: true })
  const file = join(values.out, `seed-${seed}-input-${error.number}.boc`)
  writeFileSync(file, error.input.bytes)
  console.error(
    `${error.message}\nThe input is in ${file}; --seed ${seed} --from ${error.number} --count 1 makes it again.`,
  )
  showStack(error.number)
  process.exitCode = 1
}
