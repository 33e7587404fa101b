import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseRecordedTrace } from '../../src/actions/conformance/RecordedTrace.ts'
import { type ConformanceCase, runConformance } from '../../src/actions/conformance/runConformance.ts'
import { formatBoc } from '../../src/actions/rows/Action.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { CHECKED_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { fromBase64, toBase64 } from '../../src/primitives/base64.ts'
import { compareReference, knownDifferences } from '../support/actionReference.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'

type Recorded = { readonly cases: readonly ConformanceCase[] }
type Reference = { readonly traces: Readonly<Record<string, unknown>> }

const readPacked = (path: string) => JSON.parse(gunzipSync(readFixture(`actions/${path}`)).toString('utf8'))
const readTrace = (path: string) => parseRecordedTrace(readPacked(path))

test('what happened in recorded traces of the main network', (t) => {
  if (!haveFixtures(t, 'actions/cases.json')) return
  const { cases } = readFixtureJson<Recorded>('actions/cases.json')
  const { lines, passed } = runConformance(cases, readTrace)
  assert.deepEqual(lines, [])
  assert.ok(passed > 0)
})

test('all that the original makes of them, but for what is known to differ', (t) => {
  if (!haveFixtures(t, 'actions/reference.json.gz')) return
  const { cases } = readFixtureJson<Recorded>('actions/cases.json')
  const { traces }: Reference = readPacked('reference.json.gz')
  const files = cases.map(({ trace_file: file }) => file)
  const { equal, known, lines } = compareReference(traces, files, readTrace)
  assert.deepEqual(lines, [])
  assert.deepEqual(known, knownDifferences)
  assert.ok(equal > 400)
  // A row that is said to differ and does not is told of, as is one that differs and is not said to.
  const [difference] = knownDifferences
  const plain = difference!.traceFile.replace('-nobody', '')
  const swapped = compareReference(traces, [difference!.traceFile], () => readTrace(plain))
  assert.match(swapped.lines.join(), /known to differ, and does not any more/)
  const altered = compareReference(traces, [plain], () => readTrace(difference!.traceFile))
  assert.match(altered.lines.join(), /missing.*not expected/)
})

/** The payloads in the details of recorded actions. */
const listPayloads = (value: unknown, isDetails = false): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    isDetails && /^(forward|custom)_payload$/.test(name) && typeof member === 'string'
      ? [member]
      : listPayloads(member, name === 'details'),
  )
}

test('payloads of recorded actions, byte for byte', (t) => {
  if (!haveFixtures(t, 'mainnet/api-v3')) return
  const recorded = listFixtures('mainnet/api-v3', '.json').map((path) => readFixtureJson(path))
  const payloads = [readPacked('reference.json.gz'), ...recorded].flatMap((answer) => listPayloads(answer))
  let forked = 0
  for (const text of payloads) {
    const cell = decodeSingleBoc(fromBase64(text))
    assert.equal(formatBoc(cell), text)
    if (toBase64(encodeBoc([cell], CHECKED_BOC)) !== text) forked++
  }
  assert.ok(forked > 0, 'no payload tells the two orders apart')
})
