// node --import tsx scripts/vmCampaign.ts --oracle PROGRAM [--runs N] [--seed S] [--version V] [--record FILE] [--show N]
// Runs generated programs on our virtual machine and on another one, which takes requests as lines of JSON (the form of
// test/support/vmRequests.ts), and compares exit code, gas, steps and stack. --record keeps the requests with the other machine's
// answers, for scripts/replayRequests.ts and the tests. The last line counts.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { encodeBoc } from '../src/codec/cell/encodeBoc.ts'
import { NEWEST_VERSION } from '../src/tvm/machine/instructions/table.ts'
import { ProgramMaker, Random } from '../test/support/vmPrograms.ts'
import { compareReply, type VmRequest, VmRequests } from '../test/support/vmRequests.ts'

const { values } = parseArgs({
  options: {
    oracle: { type: 'string' },
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    version: { type: 'string' },
    record: { type: 'string' },
    show: { type: 'string', default: '10' },
  },
})
if (values.oracle === undefined) {
  console.error('Name the program of the other machine with --oracle.')
  process.exit(2)
}
const GAS = { limit: 100_000, max: 100_000, credit: 0 }
const random = new Random(Number(values.seed))
const maker = new ProgramMaker(random)
const runs = Number(values.runs)
const waiting: VmRequest[] = []
const recorded: string[] = []
const machine = new VmRequests()
let passed = 0
let failed = 0

type Answer = {
  readonly exitCode: number
  readonly gasUsed: number
  readonly steps: number
  readonly stackText?: string[]
}

/** Continuations are told apart by nothing, so that only their place counts. */
const plain = (text: string): string => text.replace(/cont:[^\s\]]*/g, 'cont:')

const oracle = spawn(values.oracle, [], { stdio: ['pipe', 'pipe', 'inherit'] })
const answers = createInterface({ input: oracle.stdout })

const send = (): void => {
  while (waiting.length < 64 && passed + failed + waiting.length < runs) {
    const version = values.version === undefined ? random.below(NEWEST_VERSION + 1) : Number(values.version)
    const code = Buffer.from(encodeBoc([maker.program()])).toString('base64')
    const request: VmRequest = { kind: 'code', version, code, gas: GAS }
    waiting.push(request)
    oracle.stdin.write(`${JSON.stringify(request)}\n`)
  }
}

send()
for await (const line of answers) {
  const request = waiting.shift()
  if (request === undefined) break
  const { exitCode, gasUsed, steps, stackText = [] } = JSON.parse(line) as Answer
  const expect = { exitCode, gasUsed, steps, stackText: stackText.map(plain) }
  const differences = compareReply(machine.run(request), expect)
  if (differences.length === 0) passed++
  else if (++failed <= Number(values.show)) console.log(`${JSON.stringify(request)}\n  ${differences.join('\n  ')}`)
  if (values.record !== undefined && differences.length === 0) recorded.push(JSON.stringify({ ...request, expect }))
  if (passed + failed === runs) break
  send()
}
oracle.kill()
if (values.record !== undefined) writeFileSync(values.record, gzipSync(`${recorded.join('\n')}\n`, { level: 9 }))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
