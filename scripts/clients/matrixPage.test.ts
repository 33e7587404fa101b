import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BY_SCRIPT, BY_TESTS, type ClientRun, readPage, readRuns, writeRuns } from './matrixPage.ts'
import { scriptClients } from './scriptClients.ts'
import { testedClients } from './testedClients.ts'

test('what is written to the page is read from it', () => {
  const runs: ClientRun[] = [
    { library: '@a/b', version: '1.0', speaks: 'v2', runBy: BY_TESTS, checks: [{ name: 'one' }, { name: 'two (v2)' }] },
    {
      library: 'c',
      version: '2.0',
      speaks: 'v3, liteserver',
      runBy: BY_SCRIPT,
      checks: [{ name: 'one' }, { name: 'two', reason: 'It reads another file. Not ours.' }],
    },
    { library: 'c', version: '0.5', speaks: 'v3', runBy: BY_SCRIPT, checks: [{ name: 'three' }] },
  ]
  const written = writeRuns(readPage(), runs)
  assert.deepEqual(readRuns(written), runs)
  assert.match(written, /\| `c` \| 2\.0 \| v3, liteserver \| `npm run clients` \| 1 of 2 \|/)
  assert.equal(writeRuns(written, readRuns(written)), written)
})

test('docs/clients.md has a row for each client, and is as it was written', () => {
  const page = readPage()
  const runs = readRuns(page)
  assert.equal(writeRuns(page, runs), page)
  assert.deepEqual(
    runs.map(({ library, speaks, runBy }) => ({ library, speaks, runBy })),
    [
      ...testedClients.map(({ library, speaks }) => ({ library, speaks, runBy: BY_TESTS })),
      ...scriptClients.map(({ library, speaks }) => ({ library, speaks, runBy: BY_SCRIPT })),
    ],
  )
  for (const [k, { version }] of scriptClients.entries())
    assert.equal(runs[testedClients.length + k]!.version, version, 'To write the page: npm run clients')
  for (const { library, checks } of runs) assert.ok(checks.length > 0, library)
})

test('a check that fails has a known reason', () => {
  const known = new Set(scriptClients.flatMap(({ failures = {} }) => Object.values(failures)))
  for (const { library, checks } of readRuns(readPage()))
    for (const { name, reason } of checks)
      assert.ok(reason === undefined || known.has(reason), `${library}: ${name}: ${reason}`)
})
