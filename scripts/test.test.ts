import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runScript } from '../test/support/runScript.ts'
import { writeTree } from '../test/support/writeTree.ts'

const header = "import assert from 'node:assert/strict'\nimport { describe, it, test } from 'node:test'\n"
const passing = `${header}describe('suite', () => { it('one', () => {}); it('two', () => {}) })\n`

/** The runner looks for files of the kind that it is itself, compiled or not. */
const extension = extname(import.meta.filename)

const writeTests = (t: TestContext, files: Readonly<Record<string, string>>): string => {
  const named = Object.entries(files).map(([path, content]) => [
    path.replace(/\.ts$/, extension),
    content.replaceAll(".ts'", `${extension}'`),
  ])
  return writeTree(t, { 'package.json': '{ "type": "module" }', ...Object.fromEntries(named) })
}

const runTests = (root: string, ...filters: string[]) => {
  const { exitCode, stdout } = runScript('scripts/test', ['--root', root, ...filters])
  const lines = stdout.trimEnd().split('\n')
  return { exitCode, stdout, lastLine: lines.at(-1) }
}

test('passing tests are counted, suites are not', (t) => {
  const root = writeTests(t, { 'src/a.test.ts': passing, 'scripts/b.test.ts': `${header}test('three', () => {})\n` })
  const { exitCode, lastLine } = runTests(root)
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 0, lastLine: '3 passed, 0 failed' })
})

test('a failing test is counted once, named in full and fails the run', (t) => {
  const failing = `${header}test('parent', async (t) => { await t.test('child', () => assert.equal(1, 2)) })\n`
  const root = writeTests(t, { 'src/a.test.ts': passing, 'test/b.test.ts': failing })
  const { exitCode, stdout, lastLine } = runTests(root)
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 1, lastLine: '2 passed, 1 failed' })
  assert.match(stdout, /^FAILED \(1\):\n {2}test\/b\.test\.ts: parent > child$/m)
  assert.match(stdout, /Expected values to be strictly equal/)
})

test('with --again a file that failed runs once more, alone; what passes then is named, what fails again fails the run', (t) => {
  const once = `${header}import { existsSync, writeFileSync } from 'node:fs'
const mark = new URL('mark', import.meta.url)
test('the second time', () => {
  const isSecond = existsSync(mark)
  writeFileSync(mark, '')
  assert.ok(isSecond)
})\n`
  const root = writeTests(t, { 'src/a.test.ts': passing, 'test/once.test.ts': once })
  const { exitCode, stdout, lastLine } = runTests(root, '--again')
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 0, lastLine: '3 passed, 0 failed' })
  assert.match(stdout, /^FAIL test\/once\.test\.ts: 0 passed, 1 failed/m)
  assert.match(stdout, /^UNSTABLE, failed once and passed alone \(1\):\n {2}test\/once\.test\.ts: the second time$/m)
  const twice = writeTests(t, {
    'src/a.test.ts': passing,
    'test/b.test.ts': `${header}test('x', () => assert.ok(false))\n`,
  })
  const { stdout: all, ...ended } = runTests(twice, '--again')
  assert.deepEqual(ended, { exitCode: 1, lastLine: '2 passed, 1 failed' })
  assert.doesNotMatch(all, /UNSTABLE/)
})

test('a skipped test is listed with its reason', (t) => {
  const skipping = `${header}test('needs a thing', (t) => t.skip('the thing is not here'))\ntest('two', () => {})\n`
  const { exitCode, stdout, lastLine } = runTests(writeTests(t, { 'src/a.test.ts': skipping }))
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 0, lastLine: '1 passed, 0 failed, 1 skipped' })
  assert.match(
    stdout,
    /^SKIPPED, not tested here \(1\):\n {2}src\/a\.test\.ts: needs a thing\n {4}the thing is not here$/m,
  )
})

test('a file without a test, one that ends its process, one that does not parse and a late error each fail', (t) => {
  const root = writeTests(t, {
    'src/empty.test.ts': 'export const nothing = 1\n',
    'src/exits.test.ts': `${header}test('first', () => {})\ntest('slow', () => new Promise((done) => setTimeout(done, 200)))\ntest('x', () => process.exit(0))\n`,
    'src/late.test.ts': `${header}test('x', () => {})\nsetTimeout(() => { throw new Error('too late') }, 10)\n`,
    'src/unparsable.test.ts': 'this is not TypeScript(\n',
  })
  const { exitCode, stdout, lastLine } = runTests(root)
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 1, lastLine: '2 passed, 4 failed' })
  assert.match(stdout, /The process ended before 2 of its tests had\./)
  assert.match(stdout, /too late/)
})

test('a file that waits before its first test does not lose what it waits for to the other files of its process', (t) => {
  const waiting = `${header}import { after } from 'node:test'
let isClosed = false
after(() => { isClosed = true })
await new Promise((done) => setTimeout(done, 300))
test('what it waited for is there', () => assert.equal(isClosed, false))\n`
  const quick = `${header}test('at once', () => {})\n`
  // One process for all of a folder.
  const root = writeTests(t, {
    'src/debug/a.test.ts': quick,
    'src/debug/b.test.ts': waiting,
    'src/debug/c.test.ts': quick,
  })
  const { stdout, lastLine } = runTests(root)
  assert.equal(lastLine, '3 passed, 0 failed', stdout)
})

test('filters choose files, and a run of nothing fails', (t) => {
  const root = writeTests(t, {
    'src/codec/a.test.ts': passing,
    'src/store/b.test.ts': `${header}test('x', () => {})\n`,
  })
  assert.equal(runTests(root, 'src/codec').lastLine, '2 passed, 0 failed')
  assert.equal(runTests(root, './src/store/b.test.ts', 'src/codec').lastLine, '3 passed, 0 failed')
  const { exitCode, lastLine } = runTests(root, 'src/nowhere')
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 1, lastLine: '0 passed, 0 failed' })
})

test('what was skipped is counted by what it needs', (t) => {
  const skipping = ['fixtures/a', 'fixtures/b.json', 'contract/c'].map(
    (path) => `test('${path}', (t) => t.skip('NOT TESTED: there is nothing at ../shared/${path}.'))\n`,
  )
  const root = writeTests(t, { 'src/a.test.ts': header + skipping.join(''), 'src/b.test.ts': passing })
  const { stdout, lastLine } = runTests(root)
  assert.equal(lastLine, '2 passed, 0 failed, 3 skipped')
  assert.match(
    stdout,
    /^SKIPPED for want of \(3\):\n {5}2 {2}there is nothing at \.\.\/shared\/fixtures\.\n {5}1 {2}there is nothing at \.\.\/shared\/contract\.$/m,
  )
})

test('tests that were skipped for want of ../shared are noted, and run again alone', (t) => {
  const skip = "(t) => t.skip('NOT TESTED: there is nothing at ../shared/a.')"
  const root = writeTests(t, {
    'src/needy.test.ts': `${header}test('x (1)', ${skip})\ntest('y', () => {})\n`,
    'src/other.test.ts': passing,
    'src/suite.test.ts': `${header}describe('s', () => { it('in', ${skip}); it('y', () => {}) })\ntest('top', (t) => t.test('below', ${skip}))\n`,
    'test/tired.test.ts': `${header}test('x', (t) => t.skip('no time'))\n`,
  })
  const list = join(root, 'skipped')
  assert.equal(runTests(root, '--write-skipped', list).lastLine, '5 passed, 0 failed, 4 skipped')
  const lines = ['src/needy.test.ts\tx (1)', 'src/suite.test.ts\tin', 'src/suite.test.ts\ttop']
  assert.equal(readFileSync(list, 'utf8'), lines.map((line) => `${line}\n`).join(''))
  // The outer test is run for the one inside, and passes.
  assert.equal(runTests(root, '--read-skipped', list).lastLine, '1 passed, 0 failed, 3 skipped')
})

test('more skips than are allowed fail the run', (t) => {
  const skipping = `${header}test('x', (t) => t.skip('no browser'))\ntest('y', (t) => t.skip('no browser'))\ntest('z', () => {})\n`
  const skips = JSON.stringify({ alone: { browser: 1 }, withShared: { browser: 1 } })
  const { exitCode, stdout, lastLine } = runTests(
    writeTests(t, { 'src/a.test.ts': skipping, 'test/skips.json': skips }),
  )
  assert.deepEqual({ exitCode, lastLine }, { exitCode: 1, lastLine: '1 passed, 1 failed, 2 skipped' })
  assert.match(stdout, /^FAILED: 2 tests were skipped because of "browser", 1 may be/m)
})

test('the long form runs files that have one, and tells them', (t) => {
  const root = writeTests(t, {
    'test/support/testLength.ts': "export const isLong = process.env['CHAINCENTER_TEST_LONG'] === '1'\n",
    'test/a.test.ts': `${header}import { isLong } from './support/testLength.ts'\ntest('x', () => assert.ok(isLong))\n`,
    'test/b.test.ts': passing,
  })
  assert.equal(runTests(root, '--long').lastLine, '1 passed, 0 failed')
})

test('an error that nobody caught fails the test that runs, also where the runner does not follow every promise', (t) => {
  const failing = `${header}const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const fail = () => setTimeout(() => { throw new Error('nobody caught it') }, 1)
describe('suite', () => { it('throws', () => (fail(), wait(50))); it('is fine', () => wait(5)) })
test('parent', async (t) => { await t.test('rejects', () => (void Promise.reject(new Error('nor it')), wait(50))) })\n`
  const root = writeTests(t, { 'src/a.test.ts': failing, 'src/b.test.ts': passing })
  const light = ['--import', import.meta.resolve(`./testRun/lightTracking${extension}`)]
  for (const nodeArguments of [[], light]) {
    const { exitCode, stdout } = runScript('scripts/test', ['--root', root], { nodeArguments })
    assert.equal(exitCode, 1)
    assert.match(
      stdout,
      /^FAILED \(2\):\n {2}src\/a\.test\.ts: suite > throws\n {2}src\/a\.test\.ts: parent > rejects$/m,
    )
    assert.match(stdout, /^3 passed, 2 failed$/m)
  }
})
