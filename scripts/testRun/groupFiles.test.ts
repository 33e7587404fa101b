import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSeconds, groupFiles } from './groupFiles.ts'

test('short files share processes, up to twelve of one folder', () => {
  const codec = Array.from({ length: 14 }, (_, k) => `src/codec/cell/${k}.test.ts`)
  const files = ['src/chain/a.test.ts', ...codec, 'test/operations/a.test.ts', 'test/operations/b.test.ts']
  assert.deepEqual(groupFiles(files), [
    // Nothing is known of them: they may be long.
    ['test/operations/a.test.ts'],
    ['test/operations/b.test.ts'],
    codec.slice(0, 12),
    codec.slice(12),
    ['src/chain/a.test.ts'],
  ])
})

test('long files have a process of their own, long groups take nobody in, and the longest come first', () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => `src/codec/${name}.test.js`)
  const [a, b, c, d, e] = files
  const seconds = { 'src/codec/a.test.ts': 12, 'src/codec/b.test.ts': 30, 'src/codec/c.test.ts': 12 }
  assert.deepEqual(groupFiles(files, seconds), [[b], [a, c], [d, e]])
})

test('the seconds of files are written with the longest first, and without those that take no time', () => {
  const seconds = new Map([
    ['a.test.ts', 0.4],
    ['b.test.ts', 1.6],
    ['c.test.ts', 30],
  ])
  assert.equal(formatSeconds(seconds), '{\n  "c.test.ts": 30,\n  "b.test.ts": 2\n}\n')
})
