import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupFiles } from './groupFiles.ts'

test('files that only compute share processes, up to twelve of one folder', () => {
  const codec = Array.from({ length: 14 }, (_, k) => `src/codec/cell/${k}.test.ts`)
  const files = [
    'src/chain/a.test.ts',
    ...codec,
    'src/node/a.test.ts',
    'src/node/b.test.ts',
    'src/primitives/a.test.ts',
  ]
  assert.deepEqual(groupFiles(files), [
    ['src/chain/a.test.ts'],
    codec.slice(0, 12),
    codec.slice(12),
    ['src/node/a.test.ts'],
    ['src/node/b.test.ts'],
    ['src/primitives/a.test.ts'],
  ])
})
