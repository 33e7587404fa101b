// node --import tsx scripts/hostileV2.ts [--seconds 60] [--seed 1] [--attackers 6] [--drops 10000]
// Attacks the v2 interface over an embedded network while a client that behaves uses it. The last line is one JSON object with
// the figures; the exit code is 1 where anything went wrong.
import { parseArgs } from 'node:util'
import { runHostile } from '../test/hostile/v2/hostileRun.ts'
import { formatTable, roundFigure } from '../test/support/formatTable.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    attackers: { type: 'string', default: '6' },
    drops: { type: 'string', default: '10000' },
  },
})
const [seconds, seed, attackers, drops] = [values.seconds, values.seed, values.attackers, values.drops].map(Number)
if (![seconds, seed, attackers, drops].every((value) => Number.isSafeInteger(value) && value! > 0)) {
  console.error('--seconds, --seed, --attackers and --drops are whole numbers above 0.')
  process.exit(2)
}

const report = await runHostile({
  seconds: seconds!,
  seed: seed!,
  attackers: attackers!,
  drops: drops!,
  restMs: 15_000,
})

const table = (counts: Readonly<Record<string, number>>): string => {
  const sorted = Object.entries(counts).sort(([a], [b]) => a.localeCompare(b))
  return formatTable(sorted.map(([what, times]) => ({ what, times })))
}
console.log(`${table(report.attacks)}\n\n${table(report.outcomes)}\n`)
const faults = [...report.surprises, ...report.logged]
for (const fault of faults.slice(0, 20)) console.error(fault)
const { served, p50Ms, p99Ms, worstMs, heldBeforeMib, heldAfterMib } = report
const figures = { served, p50Ms, p99Ms, worstMs, heldBeforeMib, heldAfterMib, faults: faults.length }
const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, roundFigure(value)]))
console.log(JSON.stringify({ hostile: 'v2', seconds, seed, ...rounded }))
if (faults.length > 0 || p99Ms >= 250 || heldAfterMib >= heldBeforeMib + 32) process.exitCode = 1
