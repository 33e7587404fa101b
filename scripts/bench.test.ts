import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScript } from '../test/support/runScript.ts'
import { writeTree } from '../test/support/writeTree.ts'

const tree = {
  'src/codec/codec.bench.ts': `export const run = () => {\n  console.log('a table')\n  return { ratio: 30.123456, cells: 18144, note: 'x' }\n}\n`,
  'src/store/twice.bench.ts': 'export const run = () => ({})\n',
  'src/api/twice.bench.ts': 'export const run = () => ({})\n',
  'src/store/fails.bench.ts': "export const run = () => Promise.reject(new Error('no fixture'))\n",
}

test('without a name, the benches are listed', (t) => {
  const { exitCode, stdout } = runScript('scripts/bench.ts', ['--root', writeTree(t, tree)])
  assert.equal(exitCode, 0)
  assert.match(stdout, /^ {2}codec +src\/codec\/codec\.bench\.ts$/m)
})

test('a bench prints what it likes and, last, its figures as one JSON object', (t) => {
  const { exitCode, stdout } = runScript('scripts/bench.ts', ['--root', writeTree(t, tree), 'codec'])
  assert.equal(exitCode, 0)
  assert.equal(stdout, 'a table\n{"bench":"codec","ratio":30.12,"cells":18144,"note":"x"}\n')
})

test('an unknown name, a name that is not unique and a bench that fails are failures', (t) => {
  const root = writeTree(t, tree)
  const unknown = runScript('scripts/bench.ts', ['--root', root, 'nothing'])
  assert.equal(unknown.exitCode, 2)
  assert.match(unknown.stderr, /^No bench is called nothing\./)
  assert.match(runScript('scripts/bench.ts', ['--root', root, 'twice']).stderr, /^Several benches are called twice\./)
  assert.equal(runScript('scripts/bench.ts', ['--root', root, 'fails']).exitCode, 1)
})
