// node --import tsx scripts/overload.ts [--seconds 120] [--peak 20] [--factor 2] [--work index|live|methods|slow]
// Starts the service over an embedded network, measures how many requests a second it answers over 32 connections, and then offers twice
// as many for two minutes, without waiting for answers. Prints the goodput beside that peak, the p99 of accepted requests beside that of
// the peak, and how many were refused early (503) or late (504). The requests are made on the same cores, and take their share of them.
// Changed on 2026-11-18: it asked for transactions of an account without any, of which the service answers more than the same cores can
// ask for; now of the account with the most. It also says how late the client sent, which counts as time of the requests. The last line
// is one JSON object; the exit code is 1 where a rule is broken. Changed again on that day: before the peak is measured, the service
// answers until it does not become faster any more. After two seconds the peak of v2 was a third of what the service can do.
import { parseArgs } from 'node:util'
import { roundFigure } from '../test/support/formatTable.ts'
import { overloadWorks, runOverload } from '../test/support/overloadRun.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    peak: { type: 'string', default: '20' },
    factor: { type: 'string', default: '2' },
    work: { type: 'string', default: 'index' },
  },
})
const [seconds, peak, factor] = [values.seconds, values.peak, values.factor].map(Number)
const work = overloadWorks.find((each) => each === values.work)
if (work === undefined || ![seconds, peak, factor].every((value) => Number.isFinite(value) && value! > 0)) {
  console.error(`--seconds, --peak and --factor are numbers above 0; --work is ${overloadWorks.join(', ')}.`)
  process.exit(2)
}
const report = await runOverload({ peakMs: 1000 * peak!, overloadMs: 1000 * seconds!, work, factor: factor! })
const rules: readonly (readonly [rule: string, holds: boolean])[] = [
  ['goodput at least 90 % of the peak', report.goodput >= 0.9],
  ['p99 of accepted requests at most three times that of the peak', report.p99Ratio <= 3],
  ['no 504', report.late504 === 0],
  ['nothing else than 200 and 503', report.other === 0],
  ['every 503 says when to come back', report.unadvised === 0],
]
for (const [rule, holds] of rules) console.log(`${holds ? 'holds ' : 'BROKEN'} ${rule}`)
const rounded = Object.fromEntries(
  Object.entries(report).map(([name, value]) => [name, typeof value === 'number' ? roundFigure(value) : value]),
)
const isHeld = rules.every(([, holds]) => holds)
console.log(JSON.stringify({ overload: 'service', seconds, ...rounded, held: isHeld }))
process.exitCode = isHeld ? 0 : 1
