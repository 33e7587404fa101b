import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseRecordedTrace } from '../../src/actions/conformance/RecordedTrace.ts'
import { runConformance } from '../../src/actions/conformance/runConformance.ts'
import { haveFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'

type Recorded = { readonly cases: readonly { readonly id: string }[] }

const readTrace = (path: string) =>
  parseRecordedTrace(JSON.parse(gunzipSync(readFixture(`actions/${path}`)).toString('utf8')))

test('what happened in recorded traces of the main network', (t) => {
  if (!haveFixtures(t, 'actions/cases.json')) return
  const { cases } = readFixtureJson<Recorded>('actions/cases.json')
  const { lines, passed } = runConformance(cases, readTrace)
  assert.deepEqual(lines, [])
  assert.ok(passed > 0)
})
