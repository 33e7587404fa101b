// node --import tsx scripts/checkActions.ts [--dir DIR] [--only TEXT]: the classifier against recorded traces, cases and reference.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { classifyTrace } from '../src/actions/classifyTrace.ts'
import { findDifferences, toRecordedForm } from '../src/actions/conformance/compareActions.ts'
import { parseRecordedTrace } from '../src/actions/conformance/RecordedTrace.ts'
import { runConformance } from '../src/actions/conformance/runConformance.ts'
import { AccountFacts } from '../src/actions/trace/AccountFacts.ts'

const { values } = parseArgs({ options: { dir: { type: 'string' }, only: { type: 'string' } } })
const dir = values.dir ?? join(import.meta.dirname, '../../shared/fixtures/actions')
const readJson = (path: string) => {
  const bytes = readFileSync(join(dir, path))
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
}

const { cases } = readJson('cases.json')
const wanted = cases.filter((each: object) => values.only === undefined || JSON.stringify(each).includes(values.only))
const { lines, passed, failed } = runConformance(wanted, (path) => parseRecordedTrace(readJson(path)))
for (const line of lines) console.log(line)
console.log(`cases: ${passed} passed, ${failed} failed`)

if (existsSync(join(dir, 'reference.json.gz'))) {
  const { traces } = readJson('reference.json.gz')
  const files = new Map<string, string>(
    cases.map((each: { trace_id: string; trace_file: string }) => [each.trace_id, each.trace_file]),
  )
  let equal = 0
  let different = 0
  const byType = new Map<string, number>()
  for (const [id, file] of files) {
    const { trace, accounts } = parseRecordedTrace(readJson(file))
    const faults: string[] = []
    const { actions } = classifyTrace(trace, new AccountFacts(accounts), (matcher, error) =>
      faults.push(`${matcher?.name}: ${error}`),
    )
    const got = new Map(actions.map((action) => [action.actionId, toRecordedForm(action, trace)]))
    const expected = traces[id]?.actions ?? []
    const told: string[] = []
    for (const { visible_in: _v, trace_external_hash: _h, trace_external_hash_norm: _n, ...row } of expected) {
      const own = got.get(row.action_id)
      const found = own === undefined ? ['missing'] : findDifferences(row, own)
      got.delete(row.action_id)
      if (found.length === 0) equal++
      else {
        different++
        byType.set(row.type, (byType.get(row.type) ?? 0) + 1)
        told.push(`  ${row.type} ${row.action_id}: ${found.join(' | ').slice(0, 400)}`)
      }
    }
    for (const own of got.values())
      told.push(`  not expected: ${own.type} ${own.action_id} ${own.start_lt}..${own.end_lt}`)
    if (told.length > 0 && (values.only === undefined || JSON.stringify(expected).includes(values.only))) {
      console.log(`${file}\n${told.join('\n')}`)
      for (const fault of faults.slice(0, 5)) console.log(`  dropped: ${fault.slice(0, 300)}`)
    }
  }
  console.log('reference rows that differ, by type:', Object.fromEntries(byType))
  console.log(
    `reference: ${equal} equal, ${different} different (${((100 * equal) / (equal + different)).toFixed(1)} %)`,
  )
}
