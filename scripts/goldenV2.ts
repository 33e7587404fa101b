// node --import tsx scripts/goldenV2.ts [--url http://host:port/ton/api/v2] [--endpoint <part>] [--case <part of a name>] [--all]
// Puts the recorded v2 questions to a service over the replayed local network, and prints where the answers differ.
import { parseArgs } from 'node:util'
import { stringifyJson } from '../src/api/core/json/stringifyJson.ts'
import { GoldenSet } from '../test/conformance/v2/GoldenSet.ts'
import { countDifferences, formatGolden, type GoldenResult, runGolden } from '../test/conformance/v2/runGolden.ts'
import { startV2Localnet } from '../test/support/v2Localnet.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    endpoint: { type: 'string' },
    case: { type: 'string' },
    /** Also those that are as expected. */
    all: { type: 'boolean', default: false },
  },
})

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const shorten = (text: string): string => (text.length > 1500 ? `${text.slice(0, 1500)}…` : text)

const printResult = ({ golden, expectation, needed, answer, outcome, found }: GoldenResult): void => {
  const { method, path, query, body } = golden.question
  print(`\n${golden.name}: ${outcome}  # ${golden.note}`)
  print(`  ${method} ${path} ${shorten(body ?? stringifyJson(query))}`)
  for (const name of needed) print(`  listed: ${name}`)
  for (const line of found) print(`  ${line}`)
  if (values.case === undefined) return
  print(`  recorded: ${golden.status} ${shorten(stringifyJson(golden.response))}`)
  print(`  expected: ${expectation.kind} ${'result' in expectation ? shorten(stringifyJson(expectation.result)) : ''}`)
  print(`  answered: ${answer?.status} ${shorten(stringifyJson(answer?.body ?? null))}`)
}

const all = new GoldenSet()
const service = values.url === undefined ? await startV2Localnet() : undefined
try {
  const results = await runGolden(values.url ?? `${service!.url}/ton/api/v2`, all, ({ name, question }) => {
    const isEndpoint = values.endpoint === undefined || `${question.endpoint} ${name}`.includes(values.endpoint)
    return isEndpoint && (values.case === undefined || name.includes(values.case))
  })
  for (const result of results) {
    if (values.all || result.outcome === 'different' || (values.case !== undefined && result.found.length > 0)) {
      printResult(result)
    }
  }
  print('')
  for (const [name, count] of countDifferences(results)) print(`listed difference, changes ${count}: ${name}`)
  for (const line of formatGolden(results)) print(line)
  process.exitCode = results.some(({ found }) => found.length > 0) ? 1 : 0
} finally {
  await service?.close()
}
