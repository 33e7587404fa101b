// node --import tsx scripts/checkActions.ts [--dir DIR] [--only TEXT]: the classifier against recorded traces, cases and reference.
// What is known to differ from the reference, and why, stands in src/actions/conformance/compareActions.ts.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parseRecordedTrace } from '../src/actions/conformance/RecordedTrace.ts'
import { type ConformanceCase, runConformance } from '../src/actions/conformance/runConformance.ts'
import { compareReference } from '../test/support/actionReference.ts'

const { values } = parseArgs({ options: { dir: { type: 'string' }, only: { type: 'string' } } })
const dir = values.dir ?? join(import.meta.dirname, '../../shared/fixtures/actions')
const readJson = (path: string) => {
  const bytes = readFileSync(join(dir, path))
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
}

const cases = (readJson('cases.json') as { readonly cases: readonly ConformanceCase[] }).cases
const wanted = cases.filter((each) => values.only === undefined || JSON.stringify(each).includes(values.only))
const readTrace = (path: string) => parseRecordedTrace(readJson(path))
const { lines, passed, failed } = runConformance(wanted, readTrace)
for (const line of lines) console.log(line)
console.log(`cases: ${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1

if (existsSync(join(dir, 'reference.json.gz'))) {
  const { traces } = readJson('reference.json.gz')
  const faults = new Map<string, string[]>()
  const files = wanted.map(({ trace_file: file }) => file)
  const result = compareReference(traces, files, readTrace, (file) => (matcher, error) => {
    faults.set(file, [...(faults.get(file) ?? []), `  dropped: ${matcher?.name}: ${error}`])
  })
  for (const line of result.lines) {
    console.log(line.slice(0, 500))
    for (const fault of faults.get(line.split(':')[0]!)?.slice(0, 5) ?? []) console.log(fault.slice(0, 300))
  }
  for (const { traceFile, type, actionId, reason } of result.known) {
    console.log(`known to differ: ${traceFile}: ${type} ${actionId}\n  ${reason}`)
  }
  const { equal, known } = result
  const share = (100 * equal) / (equal + known.length + result.lines.length)
  console.log(
    `reference: ${equal} equal, ${known.length} known to differ, ${result.lines.length} different (${share.toFixed(1)} % equal)`,
  )
  if (result.lines.length > 0) process.exitCode = 1
}
