import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommandLine } from '../../../test/support/runCommandLine.ts'
import { writeTree } from '../../../test/support/writeTree.ts'

const trace = {
  trace: { trace_id: 'AA==', end_lt: '1', end_utime: 1, mc_seqno_end: 1 },
  transactions: [],
  accounts: {},
}
const caseOf = (more: object) => ({ id: 'c1', name: 'one', trace_file: 'trace.json', ...more })

const conform = (t: Parameters<typeof writeTree>[0], files: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(files).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return runCommandLine(t, ['actions', 'conformance', '--dir', '.'], {
    workingDir: writeTree(t, Object.fromEntries(texts)),
  })
}

test('nothing to compare is a failure: no cases, and cases that expect nothing', async (t) => {
  const none = await conform(t, { 'cases.json': { cases: [] } })
  assert.deepEqual([none.exitCode, none.out.trim()], [1, 'cases.json has no cases: nothing was compared.'])
  for (const more of [{}, { expected_actions: [] }]) {
    const { exitCode, out } = await conform(t, { 'cases.json': { cases: [caseOf(more)] }, 'trace.json': trace })
    assert.equal(exitCode, 1)
    assert.match(out, /^c1 \(one\): it expects no actions\n0 passed, 1 failed\n$/)
  }
})

test('a malformed file is refused and named', async (t) => {
  const expected_actions = [{ action_id: 'x', type: 'call_contract' }]
  const rows: [files: Readonly<Record<string, unknown>>, text: RegExp][] = [
    [{ 'cases.json': 'nope' }, /cases\.json cannot be read/],
    [{ 'cases.json': [] }, /cases\.json is malformed: expected an object with a list called cases/],
    [{ 'cases.json': { cases: 5 } }, /cases\.json is malformed/],
    [{ 'cases.json': { cases: [5] } }, /case 0 names no trace_file/],
    [{ 'cases.json': { cases: [caseOf({ expected_actions: 5 })] } }, /expected_actions of case 0/],
    [{ 'cases.json': { cases: [caseOf({ expected_actions: [5] })] } }, /expected_actions of case 0/],
    [{ 'cases.json': { cases: [caseOf({ expected_actions })] } }, /trace\.json cannot be read/],
    [{ 'cases.json': { cases: [caseOf({ expected_actions })] }, 'trace.json': {} }, /trace\.json is malformed/],
  ]
  for (const [files, text] of rows) {
    const { exitCode, out, err } = await conform(t, files)
    assert.deepEqual([exitCode, out], [2, ''], err)
    assert.match(err, text)
  }
})
