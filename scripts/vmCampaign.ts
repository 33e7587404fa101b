// node --import tsx scripts/vmCampaign.ts --oracle PROGRAM|emulator [--kind code|transactions] [--runs N] [--seed S] [--version V]
//   [--record FILE] [--show N] [--coverage FILE] [--mix random,grammar,focused,mutants|dictionaries] [--judge] [--reduce FILE]
// Runs generated programs or transactions on our virtual machine and on another one, and compares exit code, gas, steps, stack, c4 and c5,
// or the cells of transaction and account. The other one is a program that takes requests as lines of JSON (the form of
// test/support/vmRequests.ts), or the emulator of @ton/sandbox. --record keeps the requests with the other machine's answers, for
// scripts/replayRequests.ts and the tests; --coverage writes how often each instruction ran. With --judge the
// emulator is asked about differences, by the rules of version 13 at most (12 for transactions): where it agrees with us, the other machine
// is wrong. Of transactions that it cannot judge, it is asked about a part that differs in the same fields; what is left is looked up among
// the kinds that the source of the reference decided (test/support/vmTransactionKinds.ts).
// --reduce makes each program or transaction on which the machines differ as small as it gets, has the emulator judge what is left, and adds
// it to FILE: a line for each class of differences, with its count. --mix dictionaries makes transactions with malformed dictionaries. The
// last line counts. docs/benchmarks.md
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Campaign, type CampaignKind } from '../test/support/vmCampaign.ts'
import { DifferenceClasses } from '../test/support/vmClasses.ts'
import { EmulatorOracle, ProgramOracle } from '../test/support/vmOracles.ts'
import type { VmRequest } from '../test/support/vmRequests.ts'
import { TransactionClasses } from '../test/support/vmTransactionClasses.ts'

const { values } = parseArgs({
  options: {
    oracle: { type: 'string' },
    kind: { type: 'string', default: 'code' },
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    version: { type: 'string' },
    judge: { type: 'boolean', default: false },
    mix: { type: 'string', default: 'random,grammar,focused,mutants' },
    reduce: { type: 'string' },
    record: { type: 'string' },
    show: { type: 'string', default: '10' },
    coverage: { type: 'string' },
  },
})
if (values.oracle === undefined) {
  console.error('Name the program of the other machine with --oracle, or give --oracle emulator.')
  process.exit(2)
}
if (values.reduce !== undefined && values.oracle === 'emulator') {
  console.error('--reduce is for a machine other than the emulator, which judges.')
  process.exit(2)
}
const oracle = values.oracle === 'emulator' ? await EmulatorOracle.open() : new ProgramOracle(values.oracle)
const campaign = new Campaign(oracle, {
  kind: values.kind as CampaignKind,
  seed: Number(values.seed),
  mix: values.mix.split(','),
  version: values.version === undefined ? undefined : Number(values.version),
  judge: values.judge ? await EmulatorOracle.open() : undefined,
})
const isCode = values.kind === 'code'
const judge = values.reduce === undefined ? undefined : await EmulatorOracle.open()
const classes = judge === undefined || !isCode ? undefined : new DifferenceClasses(oracle, judge)
const transactions = judge === undefined || isCode ? undefined : new TransactionClasses(oracle, judge)
if (values.reduce !== undefined) (classes ?? transactions)?.read(values.reduce)
/** So many differences are reduced at a time. */
const REDUCED_AT_ONCE = 64
const differing: VmRequest[] = []
const recorded: string[] = []
const most = Number(values.show)
let shown = 0
const begun = performance.now()
for await (const { request, expect, differences, knownError } of campaign.run(Number(values.runs))) {
  if (differences.length > 0 && knownError === undefined && shown++ < most) {
    console.log(`${JSON.stringify(campaign.whole(request))}\n  ${differences.join('\n  ')}`)
  }
  if (classes !== undefined && differences.length > 0) differing.push(campaign.whole(request))
  if (differences.length > 0) await transactions?.add(campaign.whole(request))
  if (differing.length === REDUCED_AT_ONCE) await classes?.add(differing.splice(0))
  if (values.record !== undefined && differences.length === 0) {
    const { transaction: _hashed, ...answer } = expect
    recorded.push(JSON.stringify({ ...campaign.whole(request), expect: answer }))
  }
}
await classes?.add(differing)
oracle.close()
if (transactions !== undefined) {
  transactions.write(values.reduce!)
  for (const request of transactions.unreduced) console.log(`not reduced: ${JSON.stringify(request)}`)
  for (const { verdict, reason = '', fields, count } of transactions.all) {
    console.log(`${count} ${verdict} ${reason} [${fields.join('; ')}]`)
  }
}
if (classes !== undefined) {
  classes.write(values.reduce!)
  const { reduced, calls } = classes.counts
  for (const request of classes.unreduced) console.log(`not reduced: ${JSON.stringify(request)}`)
  console.log(
    `${reduced} differences reduced with ${calls} runs, ${classes.unreduced.length} not, ${classes.all.length} classes in ${values.reduce}`,
  )
}
if (values.record !== undefined) writeFileSync(values.record, gzipSync(`${recorded.join('\n')}\n`, { level: 9 }))
if (values.coverage !== undefined) writeFileSync(values.coverage, `${campaign.coverage.report()}\n`)
const { never, onlyFailed } = campaign.coverage.missing
console.log(`instructions that never ran: ${never.length === 0 ? 'none' : never.join(', ')}`)
console.log(`instructions that always failed: ${onlyFailed.length === 0 ? 'none' : onlyFailed.join(', ')}`)
console.log(campaign.coverage.codes())
const { passed, failed, known, refused, long } = campaign.counts
for (const [reason, count] of known) console.log(`known error of the oracle, ${count} runs: ${reason}`)
const seconds = (performance.now() - begun) / 1000
console.log(
  `seed ${values.seed}, ${seconds.toFixed(0)} s, ${refused} refused by the oracle, ${long} with too long a result`,
)
const excused = [...known.values()].reduce((sum, count) => sum + count, 0)
console.log(`${passed} passed, ${failed} failed, ${excused} known errors of the oracle`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
